package import RPCCore
internal import Synchronization

package struct WatchLimits: Sendable, Hashable {
    package var maximumWatches = 65_536
    /// Only for callers on other machines.
    package var maximumWatchesPerCaller = CallerShares(named: 100, anonymous: 8)

    package init() {}
}

final class WatchGate: Sendable {
    enum Limit: Sendable, Hashable {
        case total(Int)
        case caller(Int)
    }

    private struct State {
        var count = 0
        var counts: [CallerID: Int] = [:]
    }

    private let limits: WatchLimits
    private let state = Mutex(State())

    init(_ limits: WatchLimits) { self.limits = limits }

    var count: Int { state.withLock(\.count) }

    /// The place is taken for as long as the result lives. Throws WATCH_LIMIT.
    func enter(_ caller: CallerID) throws(RPCError) -> AdmittedWatch {
        let maximum = limits.maximumWatchesPerCaller.maximum(of: caller)
        // Callers without a maximum of their own leave an eighth to the others.
        let total = limits.maximumWatches - (maximum == .max ? limits.maximumWatches / 8 : 0)
        let reached: Limit? = state.withLock { state in
            guard state.counts[caller, default: 0] < maximum else { return .caller(maximum) }
            guard state.count < total else { return .total(total) }
            state.count += 1
            state.counts[caller, default: 0] += 1
            return nil
        }
        if let reached { throw .watchRefused(reached) }
        return AdmittedWatch(of: caller, at: self)
    }

    fileprivate func leave(_ caller: CallerID) {
        state.withLock { state in
            state.count -= 1
            let left = (state.counts[caller] ?? 1) - 1
            state.counts[caller] = left > 0 ? left : nil
        }
    }
}

/// Its release frees the place, however the watch ends.
final class AdmittedWatch: Sendable {
    private let caller: CallerID
    private let gate: WatchGate

    fileprivate init(of caller: CallerID, at gate: WatchGate) {
        self.caller = caller
        self.gate = gate
    }

    deinit { gate.leave(caller) }
}
