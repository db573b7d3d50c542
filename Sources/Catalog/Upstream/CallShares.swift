internal import RPCCore

/// The calls of the last day by their callers, as far as they are connected: a caller may use a part of a budget only.
struct CallShares: Sendable, Hashable {
    /// More pairs of a caller and a minute are not remembered: their calls count for the budget and for nobody's share.
    private static let maximumPairs = 65_536

    private var minutes: [Int64: [CallerID: Int]] = [:]
    private var totals: [CallerID: Int] = [:]
    private var pairCount = 0

    /// The number of calls of the last day that are known to be the caller's.
    func used(by caller: CallerID) -> Int { totals[caller] ?? 0 }

    mutating func add(_ caller: CallerID, at minute: Int64) {
        if minutes[minute]?[caller] == nil {
            guard pairCount < CallShares.maximumPairs else { return }
            pairCount += 1
        }
        minutes[minute, default: [:]][caller, default: 0] += 1
        totals[caller, default: 0] += 1
    }

    /// A call that began in that minute has not reached the gateway.
    mutating func giveBack(_ caller: CallerID, to minute: Int64) {
        guard let count = minutes[minute]?[caller], count > 0 else { return }
        minutes[minute]?[caller] = count - 1
        subtract(1, from: caller)
    }

    /// The calls of that minute are a day old.
    mutating func forget(_ minute: Int64) {
        guard let counts = minutes.removeValue(forKey: minute) else { return }
        pairCount -= counts.count
        for (caller, count) in counts { subtract(count, from: caller) }
    }

    private mutating func subtract(_ count: Int, from caller: CallerID) {
        let left = used(by: caller) - count
        totals[caller] = left > 0 ? left : nil
    }
}
