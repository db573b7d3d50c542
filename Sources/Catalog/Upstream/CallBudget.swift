package import MarvelAPI
package import RPCCore

/// How many calls the keys of a gateway are good for: so many in any 24 hours (MARVEL_API section 8), and none for a
/// while when the gateway says that it has had enough.
///
/// A caller takes no more of a day's calls than it leaves to others: alone at most half of them, and what comes later
/// still finds some. The server's own work is not held to that.
///
/// Calls are counted by the minute in which they began, and come back when the whole minute is a day old.
package struct CallBudget: Sendable, Hashable {
    /// Calls of a minute.
    package struct Minute: Sendable, Hashable {
        /// Minutes since 1970.
        package var index: Int64
        package var count: Int

        package init(_ index: Int64, count: Int) {
            self.index = index
            self.count = count
        }
    }

    /// The gateway refused a call (429).
    package struct Block: Sendable, Hashable {
        /// No call before.
        package var until: Moment
        /// The gateway did not say for how long, or a longer time than is waited for without looking: then one call is
        /// tried, and the others wait for its answer.
        package var isProbed: Bool

        package init(until: Moment, isProbed: Bool) {
            self.until = until
            self.isProbed = isProbed
        }
    }

    package static let probeInterval = Duration.seconds(15 * 60)
    /// A gateway that asks for more time is tried with one call after this: a wrong `Retry-After` must not stop all calls
    /// for longer.
    package static let longestWait = Duration.seconds(3_600)
    private static let minutesPerDay: Int64 = 24 * 60

    package let callsPerDay: Int
    /// Oldest first.
    private var minutes: [Minute] = []
    private var shares = CallShares()
    package private(set) var used = 0
    package private(set) var block: Block?

    /// - Parameters:
    ///   - callsPerDay: 1 or more.
    ///   - minutes: What was used before, in any order. What lies in the future, because the clock was set back, counts
    ///     as used now.
    ///   - block: If the gateway's refusal still holds.
    ///   - now: The time.
    package init(callsPerDay: Int, minutes: [Minute] = [], block: Block? = nil, at now: Moment) {
        self.callsPerDay = callsPerDay
        // They come from a file, which may say anything.
        let oldest = now.minute - CallBudget.minutesPerDay - 1
        for minute in minutes.sorted(by: { $0.index < $1.index }) where minute.count > 0 && minute.index >= oldest {
            add(min(minute.count, callsPerDay), at: min(minute.index, now.minute))
        }
        self.block = block.map { CallBudget.bounded($0, at: now) }
        forget(before: now)
    }

    /// Whether a call may be made now. Yes counts it.
    ///
    /// - Returns: The reason why not.
    package mutating func take(for caller: CallerID = .server, at now: Moment) -> MarvelAPIError? {
        forget(before: now)
        if let block, block.until > now { return .quota(retryAfter: block.until - now) }
        if let refusal = refusal(for: caller, at: now) { return refusal }
        if let block {
            self.block = block.isProbed ? Block(until: now + CallBudget.probeInterval, isProbed: true) : nil
        }
        add(1, at: now.minute)
        shares.add(caller, at: now.minute)
        return nil
    }

    private func refusal(for caller: CallerID, at now: Moment) -> MarvelAPIError? {
        let refill = minutes.first.map { CallBudget.end(of: $0) - now } ?? .zero
        let (left, own) = (callsPerDay - used, shares.used(by: caller))
        guard left > 0 else { return .budgetSpent(callsPerDay: callsPerDay, retryAfter: max(refill, .seconds(1))) }
        guard caller == .server || own < left else {
            return .shareSpent(calls: own, callsPerDay: callsPerDay, retryAfter: max(refill, .seconds(1)))
        }
        return nil
    }

    /// A call that began in that minute has not reached the gateway, which so did not count it.
    package mutating func giveBack(to minute: Int64, for caller: CallerID = .server) {
        shares.giveBack(caller, to: minute)
        guard let index = minutes.lastIndex(where: { $0.index == minute }) else { return }
        minutes[index].count -= 1
        used -= 1
        if minutes[index].count == 0 { minutes.remove(at: index) }
    }

    /// The gateway answered a call.
    package mutating func answered() { block = nil }

    /// The gateway refused a call: 429.
    package mutating func refused(retryAfter: Duration?, at now: Moment) {
        let wish = Block(until: now + (retryAfter ?? CallBudget.probeInterval), isProbed: retryAfter == nil)
        block = CallBudget.bounded(wish, at: now)
    }

    /// No block is longer than what is waited for without looking.
    private static func bounded(_ block: Block, at now: Moment) -> Block {
        guard block.until - now > longestWait else { return block }
        return Block(until: now + longestWait, isProbed: true)
    }

    /// A call ended without an answer. If it was the probe, the next call is one.
    package mutating func abandoned(at now: Moment) {
        if block?.isProbed == true { block?.until = now }
    }

    private mutating func add(_ count: Int, at minute: Int64) {
        if let last = minutes.indices.last, minutes[last].index >= minute {
            minutes[last].count += count
        } else {
            minutes.append(Minute(minute, count: count))
        }
        used += count
    }

    private mutating func forget(before now: Moment) {
        let gone = minutes.prefix { CallBudget.end(of: $0) <= now }
        used -= gone.reduce(0) { $0 + $1.count }
        for minute in gone { shares.forget(minute.index) }
        minutes.removeFirst(gone.count)
    }

    private static func end(of minute: Minute) -> Moment {
        Moment(sinceEpoch: .seconds((minute.index + 1 + minutesPerDay) * 60))
    }
}
