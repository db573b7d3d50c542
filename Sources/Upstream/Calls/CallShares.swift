internal import RPCCore

/// The calls of the last day by caller, because a caller may use a part of the budget only.
struct CallShares: Sendable, Hashable {
    /// The maximum number of pairs of a caller and a minute. Calls beyond it count for the budget, but for no caller's
    /// share.
    private static let maximumPairs = 65_536

    private var minutes: [Int64: [CallerID: Int]] = [:]
    private var totals: [CallerID: Int] = [:]
    /// The calls of all callers without a name together.
    private(set) var anonymousCount = 0
    private var pairCount = 0

    /// Returns the number of calls of the last day that are counted for a caller.
    func used(by caller: CallerID) -> Int { totals[caller] ?? 0 }

    mutating func add(_ caller: CallerID, at minute: Int64) {
        if minutes[minute]?[caller] == nil {
            guard pairCount < CallShares.maximumPairs else { return }
            pairCount += 1
        }
        minutes[minute, default: [:]][caller, default: 0] += 1
        totals[caller, default: 0] += 1
        if caller.kind == .anonymous { anonymousCount += 1 }
    }

    /// Returns a call that began in a minute to a caller's share, because it did not reach the gateway.
    mutating func giveBack(_ caller: CallerID, to minute: Int64) {
        guard let count = minutes[minute]?[caller], count > 0 else { return }
        minutes[minute]?[caller] = count - 1
        subtract(1, from: caller)
    }

    /// Removes the calls of a minute that is a day old.
    mutating func forget(_ minute: Int64) {
        guard let counts = minutes.removeValue(forKey: minute) else { return }
        pairCount -= counts.count
        for (caller, count) in counts { subtract(count, from: caller) }
    }

    private mutating func subtract(_ count: Int, from caller: CallerID) {
        let left = used(by: caller) - count
        totals[caller] = left > 0 ? left : nil
        if caller.kind == .anonymous { anonymousCount -= count }
    }
}
