private import Glibc
internal import NIOCore
package import RPCCore
internal import Synchronization

/// The tokens of a server and the rules for its callers, shared by all its connections.
///
/// Connections remember what they have found out, with the generation of the table. It rises when the tokens change and
/// when one expires, so that remembering costs a call one comparison.
package final class AccessControl: Sendable {
    private struct State {
        var table: TokenTable
        /// The time up to which expiries were noticed, in seconds since 1970.
        var checkedUpTo: Int64
        var observers: [@Sendable () -> Void] = []
    }

    let rules: AccessRules
    /// Returns the time in seconds since 1970.
    let wallClock: @Sendable () -> Int64
    private let state: Mutex<State>
    private let lastGeneration = Atomic<UInt64>(1)
    private let failures = Mutex(TokenFailures())

    /// - Parameters:
    ///   - rules: The rules for callers without a token.
    ///   - table: The tokens.
    ///   - wallClock: Returns the time in seconds since 1970, by which tokens expire.
    package init(
        _ rules: AccessRules = AccessRules(ownUser: geteuid()),
        _ table: TokenTable = TokenTable(),
        wallClock: @escaping @Sendable () -> Int64 = AccessControl.systemTime
    ) {
        self.rules = rules
        self.wallClock = wallClock
        state = Mutex(State(table: table, checkedUpTo: wallClock()))
    }

    /// Returns the time of the system in seconds since 1970.
    package static func systemTime() -> Int64 { Int64(time(nil)) }

    /// The number of changes so far. Only the same number means that nothing has changed.
    var generation: UInt64 { lastGeneration.load(ordering: .acquiring) }

    /// Whether there is no token.
    package var isEmpty: Bool { table.records.isEmpty }

    var table: TokenTable { state.withLock(\.table) }

    // MARK: Changes

    /// Replaces the tokens. Streams of those that are not there any more, or are different now, end.
    package func replace(_ table: TokenTable) {
        changed { state in
            guard state.table.records != table.records else { return false }
            state.table = table
            state.checkedUpTo = wallClock()
            return true
        }
    }

    /// Notices the tokens that have expired, and ends their streams. To be called every few seconds.
    package func noticeExpiries() {
        let now = wallClock()
        changed { state in
            defer { state.checkedUpTo = now }
            return state.table.hasExpiry(after: state.checkedUpTo, upTo: now)
        }
    }

    private func changed(_ body: (inout State) -> Bool) {
        let observers = state.withLock { state in
            guard body(&state) else { return [@Sendable () -> Void]() }
            // Under the lock: whoever sees the new number finds the new table.
            lastGeneration.add(1, ordering: .releasing)
            return state.observers
        }
        for observer in observers { observer() }
    }

    /// Has a function called after each change, on any thread.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    // MARK: Callers

    /// Finds out the caller of a request, on every port.
    ///
    /// - Parameters:
    ///   - credentials: The values of its `authorization`.
    ///   - peer: The other side of its connection.
    ///   - time: The time in seconds since 1970.
    /// - Returns: The owner of the token, or the peer if there is none.
    /// - Throws: The reason why the credentials name nobody. A wrong token never falls back to the peer.
    func authenticate(
        _ credentials: [String],
        from peer: ConnectionPeer,
        at time: Int64
    ) throws(AccessFailure) -> Principal {
        guard let value = credentials.first else {
            return rules.principal(of: peer.peer, certificateName: peer.certificateName, in: table, at: time)
        }
        // Which of two is meant is for nobody to guess.
        guard credentials.count == 1 else { throw .tokenInvalid }
        // Somebody may have read it: it is not said whether it is valid.
        guard peer.peer != .remote || peer.isProtected else { throw .tokenInClear }
        return try table.principal(of: try Authorization.token(value), at: time)
    }

    // MARK: Wrong tokens

    /// Counts a wrong token.
    ///
    /// - Returns: Whether so many came from the address that its answer is to be delayed.
    func tokenFailed(from address: PeerAddress?, now: NIODeadline) -> Bool {
        failures.withLock { $0.failed(address, now: CallPace.Time(now.uptimeNanoseconds)) }
    }
}
