package import RPCCore
internal import Synchronization

/// The numbers of watches that may be open at once.
package struct WatchLimits: Sendable, Hashable {
    package var maximumWatches = 65_536
    /// The watches of one caller that is not on the server's machine.
    package var maximumWatchesPerCaller = CallerShares(named: 100, anonymous: 8)

    package init() {}
}

/// Counts the open watches, and refuses those above the limits.
final class WatchGate: Sendable {
    /// A limit that was reached, with the number of watches that it allows.
    enum Limit: Sendable, Hashable {
        case total(Int)
        case caller(Int)
    }

    private struct State {
        var count = 0
        /// The watches of each caller that has some.
        var counts: [CallerID: Int] = [:]
    }

    private let limits: WatchLimits
    private let state = Mutex(State())

    init(_ limits: WatchLimits) { self.limits = limits }

    /// The number of open watches.
    var count: Int { state.withLock(\.count) }

    /// Lets a watch begin.
    ///
    /// - Returns: The watch's place. The watch holds it for as long as it lasts.
    /// - Throws: WATCH_LIMIT.
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

/// The place of a watch that was let in. The place is free again when nobody holds this, however the watch ended.
final class AdmittedWatch: Sendable {
    private let caller: CallerID
    private let gate: WatchGate

    fileprivate init(of caller: CallerID, at gate: WatchGate) {
        self.caller = caller
        self.gate = gate
    }

    deinit { gate.leave(caller) }
}
