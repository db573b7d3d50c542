package import Catalog
package import RPCCore

/// The quota of calls to a gateway: a maximum number in any 24 hours, and no calls for a while after the gateway has
/// refused one because of its own quota.
///
/// A caller may use no more calls of a day than it leaves to others. So a single caller gets at most half of them, and
/// later callers still find some. The server's own work is exempt from this rule. A caller that is not on the server's machine
/// gets a quarter of them, one without a name a twentieth, and all without a name together a fifth.
///
/// Calls are counted by the minute in which they began. They are available again when the whole minute is a day old.
///
/// If several servers share the quota (`share`), calls are made from what this server has reserved of it. Its own calls
/// are counted all the same, and the parts of callers are those of this server's calls.
package struct CallBudget: Sendable, Hashable {
    /// The number of calls that began in one minute.
    package struct Minute: Sendable, Hashable {
        /// The number of the minute since 1970.
        package var index: Int64
        package var count: Int

        package init(_ index: Int64, count: Int) {
            self.index = index
            self.count = count
        }
    }

    /// A pause of all calls, because the gateway refused one with status 429.
    package struct Block: Sendable, Hashable {
        /// The time before which no call is made.
        package var until: Moment
        /// Whether a single probe call follows the pause, while the others wait for its answer. This is so if the
        /// gateway did not say how long to wait, or asked for more than `SourceError.longestRetryDelay`.
        package var isProbed: Bool

        package init(until: Moment, isProbed: Bool) {
            self.until = until
            self.isProbed = isProbed
        }
    }

    private static let minutesPerDay: Int64 = 24 * 60

    package let callsPerDay: Int
    /// The minutes of the last day, oldest first.
    private var minutes: [Minute] = []
    private var shares = CallShares()
    /// The calls of this server in the last day.
    package private(set) var used = 0
    package private(set) var block: Block?
    /// The reserved calls; nil if the server has the quota for itself.
    private var shared: SharedCalls?

    /// - Parameters:
    ///   - callsPerDay: The maximum number of calls in any 24 hours, 1 or more.
    ///   - minutes: The calls that were made before, in any order. Calls in the future, from before the clock was set
    ///     back, count as made now.
    ///   - block: The pause that is in force, if any.
    ///   - now: The current time.
    package init(callsPerDay: Int, minutes: [Minute] = [], block: Block? = nil, at now: Moment) {
        self.callsPerDay = callsPerDay
        // The minutes come from a file that is not trusted.
        let oldest = now.minute - CallBudget.minutesPerDay - 1
        for minute in minutes.sorted(by: { $0.index < $1.index }) where minute.count > 0 && minute.index >= oldest {
            add(min(minute.count, callsPerDay), at: min(minute.index, now.minute))
        }
        self.block = block.map { CallBudget.bounded($0, at: now) }
        forget(before: now)
    }

    /// Returns the number of calls that are left now, to all servers together if they share the quota.
    package func remaining(at now: Moment) -> Int {
        if let shared { return shared.left(at: now) }
        var current = self
        current.forget(before: now)
        return max(0, callsPerDay - current.used)
    }

    /// Takes a call from the budget, and counts it.
    ///
    /// - Returns: The reason why the call may not be made; nil if it may.
    package mutating func take(for caller: CallerID = .server, at now: Moment) -> SourceError? {
        forget(before: now)
        if let block, block.until > now { return .quota(retryAfter: block.until - now) }
        if let refusal = refusal(for: caller, at: now) { return refusal }
        if let block {
            self.block = block.isProbed ? Block(until: now + SourceError.quotaProbeInterval, isProbed: true) : nil
        }
        add(1, at: now.minute)
        shared?.take(at: now)
        shares.add(caller, at: now.minute)
        return nil
    }

    private func refusal(for caller: CallerID, at now: Moment) -> SourceError? {
        let (left, own) = (shared?.left(at: now) ?? callsPerDay - used, shares.used(by: caller))
        if let shared {
            if let refusal = shared.refusal(at: now) { return refusal }
        } else if left <= 0 {
            return .budgetSpent(callsPerDay: callsPerDay, retryAfter: refillDelay(at: now))
        }
        guard caller == .server || own < left, !isOverQuota(caller, own) else {
            return .shareSpent(calls: own, callsPerDay: callsPerDay, retryAfter: refillDelay(at: now))
        }
        return nil
    }

    /// Returns the time until the oldest call of this server no longer counts.
    private func refillDelay(at now: Moment) -> Duration {
        max(minutes.first.map { CallBudget.end(of: $0) - now } ?? .zero, .seconds(1))
    }

    /// Whether a caller that is not on the server's machine has used its part of a day's calls, in percent.
    private func isOverQuota(_ caller: CallerID, _ own: Int) -> Bool {
        switch caller.kind {
        case .server, .local: false
        case .named: own * 100 >= callsPerDay * 25
        case .anonymous: own * 100 >= callsPerDay * 5 || shares.anonymousCount * 100 >= callsPerDay * 20
        }
    }

    /// Returns a call to the budget, because it did not reach the gateway.
    package mutating func giveBack(startedAt start: Moment, for caller: CallerID = .server) {
        let minute = start.minute
        shares.giveBack(caller, to: minute)
        shared?.giveBack(startedAt: start)
        guard let index = minutes.lastIndex(where: { $0.index == minute }) else { return }
        minutes[index].count -= 1
        used -= 1
        if minutes[index].count == 0 { minutes.remove(at: index) }
    }

    /// Records that the gateway answered a call, which ends a pause.
    package mutating func answered() { block = nil }

    /// Records that the gateway refused a call with status 429.
    package mutating func refused(retryAfter: Duration?, at now: Moment) {
        let requested = Block(until: now + (retryAfter ?? SourceError.quotaProbeInterval), isProbed: retryAfter == nil)
        block = CallBudget.bounded(requested, at: now)
    }

    /// Limits a pause to `SourceError.longestRetryDelay`.
    static func bounded(_ block: Block, at now: Moment) -> Block {
        guard block.until - now > SourceError.longestRetryDelay else { return block }
        return Block(until: now + SourceError.longestRetryDelay, isProbed: true)
    }

    /// Records that a call ended without an answer. If it was the probe, the next call becomes the probe.
    package mutating func abandoned(at now: Moment) {
        if block?.isProbed == true { block?.until = now }
    }

    // MARK: Sharing

    /// Makes calls from what is reserved of a budget that several servers share.
    ///
    /// - Parameter replica: The number of this server.
    package mutating func share(as replica: Int64) {
        shared = SharedCalls(replica: replica, callsPerDay: callsPerDay, block: block)
    }

    /// Whether an exchange with the other servers is worth while now.
    func wantsExchange(at now: Moment) -> Bool { shared?.wantsExchange(block: block, at: now) ?? false }

    /// Makes the next exchange with the other servers; nil if there are none.
    package mutating func exchange(at now: Moment) -> CallExchange? {
        shared?.exchange(block: block, earlierCalls: used, at: now)
    }

    /// Makes the last exchange, which gives back what is reserved.
    package mutating func lastExchange(at now: Moment) -> CallExchange? { shared?.lastExchange(block: block, at: now) }

    /// Adds what an exchange has reserved, and takes over the pause of the other servers.
    package mutating func exchanged(_ reply: CallExchange.Reply, _ exchange: CallExchange) {
        guard var shared else { return }
        block = shared.add(reply, to: exchange, block: block)
        self.shared = shared
    }

    // MARK: Minutes

    private mutating func add(_ count: Int, at minute: Int64) {
        if let last = minutes.indices.last, minutes[last].index >= minute {
            minutes[last].count += count
        } else {
            minutes.append(Minute(minute, count: count))
        }
        used += count
    }

    private mutating func forget(before now: Moment) {
        let expired = minutes.prefix { CallBudget.end(of: $0) <= now }
        used -= expired.reduce(0) { $0 + $1.count }
        for minute in expired { shares.forget(minute.index) }
        minutes.removeFirst(expired.count)
    }

    private static func end(of minute: Minute) -> Moment {
        Moment(sinceEpoch: .seconds((minute.index + 1 + minutesPerDay) * 60))
    }
}

/// A durable record of the calls of the last day.
package protocol CallLedger: Sendable {
    /// Writes entries in the order of the calls of this function. Returns at once.
    func note(_ entries: [CallLedgerEntry])
}

/// An entry of a call ledger.
package enum CallLedgerEntry: Sendable, Hashable {
    /// The change of the number of calls that began in a minute, which is counted since 1970.
    case calls(minute: Int64, change: Int)
    /// The pause of all calls that is in force; nil if there is none.
    case block(CallBudget.Block?)
}
