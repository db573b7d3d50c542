internal import Catalog

/// The calls that a server has reserved from a budget which several servers share.
///
/// Calls are reserved before they are made, and reserved calls count as used. So all servers together never make more
/// calls than the budget allows, and a server makes those that it has reserved while the others cannot be reached.
struct SharedCalls: Sendable, Hashable {
    /// The calls that were reserved in one hour.
    private struct Reservation: Hashable {
        var hour: Int64
        /// The time from which the calls that are left may not be made any more.
        var usableUntil: Moment
        var unspent: Int
        var spent = 0
    }

    /// The state of the budget at the last exchange.
    private struct Known: Hashable {
        var used: Int
        var share: Int
        var refill: Moment
    }

    private let replica: Int64
    private let callsPerDay: Int
    /// The reservations that count, oldest first.
    private var reservations: [Reservation] = []
    /// Nil before the first exchange.
    private var known: Known?
    private var hasMadeCall = false
    /// The pause that was last sent or received.
    private var exchangedBlock: CallBudget.Block?
    private var pauseRevision: Int64 = 0

    /// - Parameters:
    ///   - replica: The number of this server.
    ///   - callsPerDay: The maximum number of calls of all servers in any 24 hours.
    ///   - block: The pause that the server knows from its own calls. Another one that the servers share replaces it.
    init(replica: Int64, callsPerDay: Int, block: CallBudget.Block?) {
        self.replica = replica
        self.callsPerDay = callsPerDay
        self.exchangedBlock = block
    }

    // MARK: Calls

    /// Returns the number of calls that all servers may still make, as far as this one knows: those that it has reserved,
    /// and those that nobody has.
    func left(at now: Moment) -> Int {
        guard let known else { return 0 }
        return max(0, callsPerDay - known.used) + unspent(at: now)
    }

    /// Returns the reason why no reserved call can be made; nil if one can.
    func refusal(at now: Moment) -> SourceError? {
        if unspent(at: now) > 0 { return nil }
        guard let known, known.used >= callsPerDay else {
            return .budgetUnreachable(retryAfter: CallExchanger.interval)
        }
        return .budgetSpent(callsPerDay: callsPerDay, retryAfter: retryDelay(at: now))
    }

    /// Returns the time until more calls can be reserved.
    func retryDelay(at now: Moment) -> Duration { max((known?.refill ?? now) - now, .seconds(1)) }

    /// Takes a call from the oldest reservation, if there is one.
    mutating func take(at now: Moment) {
        guard let index = reservations.firstIndex(where: { $0.unspent > 0 && $0.usableUntil > now }) else { return }
        reservations[index].unspent -= 1
        reservations[index].spent += 1
        hasMadeCall = true
    }

    /// Returns a call that did not reach the gateway to the oldest reservation from which it can be.
    ///
    /// If it was of a later one, that one counts a call too many.
    mutating func giveBack(startedAt start: Moment) {
        guard let index = reservations.firstIndex(where: { $0.spent > 0 && $0.usableUntil > start }) else { return }
        reservations[index].spent -= 1
        reservations[index].unspent += 1
    }

    private func unspent(at now: Moment) -> Int {
        reservations.reduce(0) { $0 + ($1.usableUntil > now ? $1.unspent : 0) }
    }

    // MARK: Exchanges

    /// Whether an exchange is worth while now: less than half of a block is left, or the pause has changed.
    func wantsExchange(block: CallBudget.Block?, at now: Moment) -> Bool {
        if block != exchangedBlock { return true }
        return (known?.share ?? 0) > 0 && wanted(at: now) > 0
    }

    /// Makes the next exchange.
    ///
    /// - Parameters:
    ///   - block: The pause that the server knows.
    ///   - earlierCalls: The server's calls of the last day.
    ///   - now: The current time.
    /// - Returns: The exchange.
    mutating func exchange(block: CallBudget.Block?, earlierCalls: Int, at now: Moment) -> CallExchange {
        for index in reservations.indices where reservations[index].usableUntil <= now {
            reservations[index].unspent = 0
        }
        return CallExchange(
            replica: replica,
            callsPerDay: callsPerDay,
            wanted: wanted(at: now),
            claims: reservations.map { .init(hour: $0.hour, count: $0.spent + $0.unspent) }.filter { $0.count > 0 },
            pauseChange: block == exchangedBlock ? .none : block.map { .began(.init($0, at: now)) } ?? .ended,
            earlierCalls: known == nil ? earlierCalls : 0,
            sentAt: now,
            block: block
        )
    }

    /// Makes the last exchange, which gives back all calls that were not made.
    mutating func lastExchange(block: CallBudget.Block?, at now: Moment) -> CallExchange {
        for index in reservations.indices { reservations[index].unspent = 0 }
        var exchange = exchange(block: block, earlierCalls: 0, at: now)
        exchange.wanted = 0
        return exchange
    }

    /// Adds what an exchange has reserved.
    ///
    /// - Parameters:
    ///   - reply: The reply to the exchange.
    ///   - exchange: The exchange.
    ///   - block: The pause that the server knows now.
    /// - Returns: The pause that the server knows from now on. If it has changed while the exchange was under way, the
    ///   change is kept, and is part of the next exchange.
    mutating func add(
        _ reply: CallExchange.Reply,
        to exchange: CallExchange,
        block: CallBudget.Block?
    ) -> CallBudget.Block? {
        reservations.removeAll { $0.hour < reply.oldestHour }
        if reply.granted > 0 { reserve(reply.granted, in: reply.hour, until: exchange.sentAt + reply.usableTime) }
        known = Known(used: reply.used, share: reply.share, refill: exchange.sentAt + reply.refillTime)
        defer { pauseRevision = reply.pauseRevision }
        if exchange.pauseChange != .none {
            exchangedBlock = exchange.block
        } else if reply.pauseRevision != pauseRevision, block == exchangedBlock {
            exchangedBlock = reply.pause.map { pause in
                CallBudget.bounded(CallBudget.Block(pause, at: exchange.sentAt), at: exchange.sentAt)
            }
            return exchangedBlock
        }
        return block
    }

    private mutating func reserve(_ count: Int, in hour: Int64, until end: Moment) {
        if let index = reservations.firstIndex(where: { $0.hour == hour }) {
            reservations[index].unspent += count
        } else {
            reservations.append(Reservation(hour: hour, usableUntil: end, unspent: count))
            reservations.sort { $0.hour < $1.hour }
        }
    }

    /// Returns the number of calls to reserve in the next exchange: up to a block, if less than half of one is left.
    ///
    /// A block is a fiftieth of the day's calls, so that a server goes on for some time while the others cannot be
    /// reached, and holds little that the others need. Before the first call it is an eighth of that: a process that is
    /// started again and again by its supervisor, and each time crashes, would reserve all calls and make none.
    private func wanted(at now: Moment) -> Int {
        let block = max(1, callsPerDay / 50)
        let target = min(hasMadeCall ? block : max(1, block / 8), max(1, known?.share ?? .max))
        let unspent = unspent(at: now)
        return unspent * 2 < target ? target - unspent : 0
    }
}

extension CallExchange.Pause {
    fileprivate init(_ block: CallBudget.Block, at now: Moment) {
        self.init(timeLeft: block.until - now, isProbed: block.isProbed)
    }
}

extension CallBudget.Block {
    fileprivate init(_ pause: CallExchange.Pause, at now: Moment) {
        self.init(until: now + pause.timeLeft, isProbed: pause.isProbed)
    }
}
