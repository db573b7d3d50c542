package import NIOCore
internal import Synchronization

/// The accounts of all callers with quotas.
///
/// An account is kept while a connection uses it, and until the caller has its whole burst again: reconnecting gains
/// nothing.
package final class CallerAccounts: Sendable {
    package enum Caller: Sendable, Hashable {
        case named(String)
        case address(PeerAddress)

        var kind: CallerID.Kind {
            switch self {
            case .named: .named
            case .address: .anonymous
            }
        }
    }

    private struct Entry {
        let account: CallerAccount
        var connectionCount = 0
    }

    private struct State {
        var quotas: CallerQuotas
        /// The account of callers above the maximum.
        var others: CallerAccount
        var entries: [Caller: Entry] = [:]
        /// The number of entries at which unused ones are removed.
        var sweepCount = CallerAccounts.firstSweepCount
    }

    private static let firstSweepCount = 1_024
    private let maximumCount: Int
    private let state: Mutex<State>

    package init(_ quotas: CallerQuotas, maximumCount: Int = 65_536) {
        state = Mutex(State(quotas: quotas, others: CallerAccount(.anonymous, quotas.anonymous)))
        self.maximumCount = maximumCount
    }

    package var count: Int { state.withLock(\.entries.count) }

    /// For connections that are opened from now on.
    package var quotas: CallerQuotas {
        get { state.withLock(\.quotas) }
        set {
            state.withLock { state in
                state.quotas = newValue
                state.others = CallerAccount(.anonymous, newValue.anonymous)
            }
        }
    }

    /// Opens a caller's account for a connection. Give it back with `close`.
    package func open(_ caller: Caller, now: NIODeadline) -> CallerAccount {
        state.withLock { state in
            let limits = caller.kind == .named ? state.quotas.named : state.quotas.anonymous
            if state.entries[caller]?.account.limits != limits {
                if state.entries.count >= min(state.sweepCount, maximumCount) { Self.sweep(&state, now: now) }
                guard state.entries.count < maximumCount else { return state.others }
                state.entries[caller] = Entry(account: CallerAccount(caller.kind, limits))
            }
            state.entries[caller]?.connectionCount += 1
            return state.entries[caller]?.account ?? state.others
        }
    }

    package func close(_ caller: Caller, _ account: CallerAccount) {
        state.withLock { state in
            guard state.entries[caller]?.account === account else { return }
            state.entries[caller]?.connectionCount -= 1
        }
    }

    /// Removes unused accounts. The next time is when twice as many as remain exist.
    private static func sweep(_ state: inout State, now: NIODeadline) {
        state.entries = state.entries.filter { $0.value.connectionCount > 0 || !$0.value.account.isRested(now: now) }
        state.sweepCount = max(firstSweepCount, 2 * state.entries.count)
    }
}
