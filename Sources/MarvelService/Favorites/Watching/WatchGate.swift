internal import MarvelDomain
package import RPCCore
internal import Synchronization

/// The numbers of watches that may be open at once. Callers share them fairly (`WatchShares`).
package struct WatchLimits: Sendable, Hashable {
    /// The watches of all lists.
    package var maximumWatches = 65_536
    /// The watches of one list: each of its changes is sent to all of them.
    package var maximumWatchesPerList = 16_384
    /// The watches of one caller that is not on the server's machine.
    package var maximumWatchesPerCaller = CallerShares(named: 100, anonymous: 8)

    package init() {}
}

/// Lets watches begin while there are places for them. Callers share the places (`WatchShares`).
final class WatchGate: Sendable {
    private typealias End = @Sendable (RPCError) -> Void

    private struct State {
        var shares: WatchShares
        /// The functions that end watches, of those that can be ended from here.
        var ends: [WatchShares.Ticket: End] = [:]
        var lastTicket: WatchShares.Ticket = 0
    }

    private enum Admission {
        case admitted(WatchShares.Ticket)
        /// As `admitted`, and that other watch is to be ended.
        case displacing(WatchShares.Ticket, End?, WatchShares.Limit)
        case refused(WatchShares.Limit)
    }

    private let state: Mutex<State>

    init(_ limits: WatchLimits) { state = Mutex(State(shares: WatchShares(limits))) }

    /// The number of open watches.
    var count: Int { state.withLock(\.shares.count) }

    /// Lets a watch begin, and ends another one if need be.
    ///
    /// - Returns: The watch's place. The watch holds it for as long as it lasts.
    /// - Throws: WATCH_LIMIT.
    func enter(_ list: ListName, _ call: IncomingCall) throws(RPCError) -> AdmittedWatch {
        switch admit(list, call) {
        case .admitted(let ticket):
            return AdmittedWatch(ticket, at: self)
        case .displacing(let ticket, let end, let limit):
            end?(.watchDisplaced(limit))
            return AdmittedWatch(ticket, at: self)
        case .refused(let limit):
            throw .watchRefused(limit)
        }
    }

    private func admit(_ list: ListName, _ call: IncomingCall) -> Admission {
        state.withLock { state in
            state.lastTicket += 1
            let ticket = state.lastTicket
            let outcome = state.shares.begin(ticket, of: call.caller, on: list)
            if case .refuse(let limit) = outcome { return .refused(limit) }
            state.ends[ticket] = call.end
            guard case .displace(let other, let limit) = outcome else { return .admitted(ticket) }
            return .displacing(ticket, state.ends.removeValue(forKey: other), limit)
        }
    }

    fileprivate func leave(_ ticket: WatchShares.Ticket) {
        let end = state.withLock { state in
            state.shares.end(ticket)
            return state.ends.removeValue(forKey: ticket)
        }
        // It may hold the last that is left of its connection, and so other watches: not under the lock.
        _ = end
    }
}

/// The place of a watch that was let in. The place is free again when nobody holds this, however the watch ended.
final class AdmittedWatch: Sendable {
    private let ticket: WatchShares.Ticket
    private let gate: WatchGate

    fileprivate init(_ ticket: WatchShares.Ticket, at gate: WatchGate) {
        self.ticket = ticket
        self.gate = gate
    }

    deinit { gate.leave(ticket) }
}
