package import MarvelAPI

/// How many calls the keys of a gateway are good for: so many in any 24 hours (MARVEL_API section 8), and none for a
/// while when the gateway says that it has had enough.
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
        /// The gateway did not say for how long: then one call is tried, and the others wait for its answer.
        package var isProbed: Bool

        package init(until: Moment, isProbed: Bool) {
            self.until = until
            self.isProbed = isProbed
        }
    }

    package static let probeInterval = Duration.seconds(15 * 60)
    private static let minutesPerDay: Int64 = 24 * 60

    package let callsPerDay: Int
    /// Oldest first.
    private var minutes: [Minute] = []
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
        for minute in minutes.sorted(by: { $0.index < $1.index }) where minute.count > 0 {
            add(minute.count, at: min(minute.index, now.minute))
        }
        if let block, block.until - now <= .seconds(31 * 86_400) { self.block = block }
        forget(before: now)
    }

    /// Whether a call may be made now. Yes counts it.
    ///
    /// - Returns: The reason why not.
    package mutating func take(at now: Moment) -> MarvelAPIError? {
        forget(before: now)
        if let block {
            guard block.until <= now else { return .quota(retryAfter: block.until - now) }
            self.block = block.isProbed ? Block(until: now + CallBudget.probeInterval, isProbed: true) : nil
        }
        if used >= callsPerDay {
            let refill = minutes.first.map { CallBudget.end(of: $0) - now } ?? .zero
            return .budgetSpent(callsPerDay: callsPerDay, retryAfter: max(refill, .seconds(1)))
        }
        add(1, at: now.minute)
        return nil
    }

    /// A call that began in that minute has not reached the gateway, which so did not count it.
    package mutating func giveBack(to minute: Int64) {
        guard let index = minutes.lastIndex(where: { $0.index == minute }) else { return }
        minutes[index].count -= 1
        used -= 1
        if minutes[index].count == 0 { minutes.remove(at: index) }
    }

    /// The gateway answered a call.
    package mutating func answered() { block = nil }

    /// The gateway refused a call: 429.
    package mutating func refused(retryAfter: Duration?, at now: Moment) {
        block = Block(until: now + (retryAfter ?? CallBudget.probeInterval), isProbed: retryAfter == nil)
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
        minutes.removeFirst(gone.count)
    }

    private static func end(of minute: Minute) -> Moment {
        Moment(sinceEpoch: .seconds((minute.index + 1 + minutesPerDay) * 60))
    }
}
