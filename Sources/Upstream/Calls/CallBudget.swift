package import MarvelDomain
package import RPCCore

/// A maximum number of calls in any 24 hours, and a pause after the gateway refuses a call for its own quota.
///
/// A caller leaves as many calls of a day to others as it uses, so it gets at most half. The server's own work is
/// exempt. A caller on another machine gets at most a quarter, one without a name a twentieth, and all without a name
/// together a fifth.
///
/// Calls are counted by the minute in which they begin. They become available when the whole minute is a day old.
package struct CallBudget: Sendable {
    package struct Minute: Sendable {
        package var index: Int64
        package var count: Int
        fileprivate var callers: [CallerID: Int] = [:]
        fileprivate var anonymousCount = 0

        package init(_ index: Int64, count: Int) {
            self.index = index
            self.count = count
        }

        fileprivate var end: Moment { Moment(sinceEpoch: .seconds((index + 1 + CallBudget.minutesPerDay) * 60)) }
    }

    package struct Block: Sendable, Hashable {
        package var until: Moment
        /// The pause ends with a single probe call, because the gateway named no delay, or more than
        /// `SourceError.longestRetryDelay`.
        package var isProbed: Bool

        package init(until: Moment, isProbed: Bool) {
            self.until = until
            self.isProbed = isProbed
        }

        fileprivate func bounded(at now: Moment) -> Block {
            guard until - now > SourceError.longestRetryDelay else { return self }
            return Block(until: now + SourceError.longestRetryDelay, isProbed: true)
        }
    }

    package static let minutesPerDay: Int64 = 24 * 60
    /// The maximum of pairs of a caller and a minute. Calls beyond it count for no caller's share.
    private static let maximumPairs = 65_536

    package let callsPerDay: Int
    private let ledger: (any CallLedger)?
    private var minutes: [Minute] = []
    package private(set) var block: Block? {
        didSet { if block != oldValue { ledger?.note(.block(block)) } }
    }
    /// The time of the refusal, or of the last probe. Calls that began earlier tell nothing about the pause.
    private var blockedAt: Moment

    /// The minutes have any order. Calls in the future, from before the clock was set back, count as now.
    package init(
        callsPerDay: Int,
        minutes: [Minute] = [],
        block: Block? = nil,
        ledger: (any CallLedger)? = nil,
        at now: Moment
    ) {
        self.callsPerDay = callsPerDay
        self.ledger = ledger
        self.block = block?.bounded(at: now)
        blockedAt = now
        // The minutes come from an untrusted file.
        let oldest = now.minute - CallBudget.minutesPerDay
        for minute in minutes.sorted(by: { $0.index < $1.index }) where minute.count > 0 && minute.index >= oldest {
            add(min(minute.count, callsPerDay), for: .server, at: min(minute.index, now.minute))
        }
    }

    /// The calls of the last day, as of the last `take`.
    package var used: Int { minutes.reduce(0) { $0 + $1.count } }

    package func remaining(at now: Moment) -> Int {
        max(0, callsPerDay - minutes.reduce(0) { $0 + ($1.end > now ? $1.count : 0) })
    }

    /// Returns the reason of a refusal.
    package mutating func take(for caller: CallerID = .server, at now: Moment) -> SourceError? {
        minutes.removeAll { $0.end <= now }
        if let block, block.until > now { return .quota(retryAfter: block.until - now) }
        let (left, own) = (callsPerDay - used, minutes.reduce(0) { $0 + ($1.callers[caller] ?? 0) })
        // The oldest call expires then.
        let refill = max(minutes.first.map { $0.end - now } ?? .zero, .seconds(1))
        guard left > 0 else { return .budgetSpent(callsPerDay: callsPerDay, retryAfter: refill) }
        guard caller == .server || own < left, !isOverQuota(caller, own) else {
            return .shareSpent(calls: own, callsPerDay: callsPerDay, retryAfter: refill)
        }
        if let block {
            blockedAt = now
            self.block = block.isProbed ? Block(until: now + SourceError.quotaProbeInterval, isProbed: true) : nil
        }
        add(1, for: caller, at: now.minute)
        ledger?.note(.calls(minute: now.minute, change: 1))
        return nil
    }

    /// Applies to callers on other machines.
    private func isOverQuota(_ caller: CallerID, _ own: Int) -> Bool {
        switch caller.kind {
        case .server, .local: false
        case .named: own * 100 >= callsPerDay * 25
        case .anonymous:
            own * 100 >= callsPerDay * 5
                || minutes.reduce(0) { $0 + $1.anonymousCount } * 100 >= callsPerDay * 20
        }
    }

    private mutating func add(_ count: Int, for caller: CallerID, at minute: Int64) {
        if minute > minutes.last?.index ?? .min { minutes.append(Minute(minute, count: 0)) }
        let last = minutes.endIndex - 1
        minutes[last].count += count
        if caller.kind == .anonymous { minutes[last].anonymousCount += count }
        guard caller != .server else { return }
        let isKnown = minutes[last].callers[caller] != nil
        if isKnown || minutes.reduce(0, { $0 + $1.callers.count }) < CallBudget.maximumPairs {
            minutes[last].callers[caller, default: 0] += count
        }
    }

    package mutating func giveBack(startedAt start: Moment, for caller: CallerID = .server) {
        let minute = start.minute
        guard let index = minutes.lastIndex(where: { $0.index == minute && $0.count > 0 }) else { return }
        minutes[index].count -= 1
        if caller.kind == .anonymous { minutes[index].anonymousCount -= 1 }
        if let count = minutes[index].callers[caller] { minutes[index].callers[caller] = count > 1 ? count - 1 : nil }
        ledger?.note(.calls(minute: minute, change: -1))
    }

    package mutating func answered(startedAt start: Moment) {
        if start >= blockedAt { block = nil }
    }

    package mutating func refused(retryAfter: Duration?, at now: Moment) {
        blockedAt = now
        block = Block(until: now + (retryAfter ?? SourceError.quotaProbeInterval), isProbed: retryAfter == nil)
            .bounded(at: now)
    }

    /// Records a call without an answer. After a lost probe, the next call is the probe.
    package mutating func abandoned(startedAt start: Moment, at now: Moment) {
        if let block, block.isProbed, start >= blockedAt { self.block = Block(until: now, isProbed: true) }
    }
}

package protocol CallLedger: Sendable {
    /// Writes in the order of the calls. Returns immediately.
    func note(_ entry: CallLedgerEntry)
}

package enum CallLedgerEntry: Sendable, Hashable {
    /// The minute counts from 1970.
    case calls(minute: Int64, change: Int)
    /// Nil for no pause.
    case block(CallBudget.Block?)
}
