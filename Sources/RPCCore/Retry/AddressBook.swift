package import NIOCore

/// The addresses of a service, and which of them to try next and when.
///
/// They are tried in the order in which they were given, but the last good one first. An address that fails is not
/// tried for a backoff time of its own, which grows with each failure. It is a value without a clock and without
/// randomness: both are arguments.
package struct AddressBook: Sendable {
    /// The maximum number of addresses that a server may name besides those that are configured.
    package static let maximumAlternatives = 8
    /// The maximum time for which a server can ask its clients to stay away.
    package static let maximumSuspension = Duration.seconds(300)

    package static let defaultBackoff = Backoff(
        minimum: .milliseconds(50),
        initial: .milliseconds(200),
        maximum: .seconds(10)
    )

    private struct Suspension {
        var failures = 0
        var end: NIODeadline
    }

    private let configured: [ServerEndpoint]
    private let backoff: Backoff
    /// The addresses to try before the others: the last good one, or those that a stopping server named in its GoAway.
    private var preferred: [ServerEndpoint] = []
    /// The address of the last server that sent a GoAway.
    private var lastResort: ServerEndpoint?
    private var suspensions: [ServerEndpoint: Suspension] = [:]

    package init(_ addresses: [ServerEndpoint], backoff: Backoff = AddressBook.defaultBackoff) {
        self.configured = addresses
        self.backoff = backoff
    }

    /// The next attempt to connect.
    package enum OnAttempt: Sendable, Hashable {
        case connect(ServerEndpoint)
        /// Each address has failed or sent a GoAway; this is the earliest time at which one of them may be tried again.
        case wait(until: NIODeadline)
    }

    /// Returns the address to connect to now. Without any address it says to wait for ever.
    package func nextAttempt(now: NIODeadline) -> OnAttempt {
        var earliest = NIODeadline.distantFuture
        for address in order {
            guard let suspension = suspensions[address], suspension.end > now else { return .connect(address) }
            earliest = min(earliest, suspension.end)
        }
        return .wait(until: earliest)
    }

    /// Notes that a server answered at the address.
    package mutating func succeeded(_ address: ServerEndpoint) {
        suspensions[address] = nil
        preferred = [address]
        lastResort = nil
    }

    /// Notes that no connection could be opened, or that it was lost before the server sent anything.
    package mutating func failed(_ address: ServerEndpoint, now: NIODeadline, random: Double) {
        guard configured.contains(address) else {
            // Another server named this address; it is not configured here.
            forget(address)
            return
        }
        let failures = (suspensions[address]?.failures ?? 0) + 1
        let delay = backoff.delay(afterFailures: failures, random: random)
        suspensions[address] = Suspension(failures: failures, end: now + TimeAmount(delay))
    }

    /// Allows addresses that did not answer to be tried again at once. A server that asked for a delay keeps it.
    package mutating func forgetFailures() {
        suspensions = suspensions.filter { $0.value.failures == 0 }
    }

    /// Notes that the server at the address takes no more calls.
    ///
    /// - Parameters:
    ///   - address: The address of the connection.
    ///   - retryAfter: The time for which to stay away from it.
    ///   - alternatives: The addresses that it sends its clients to, best first. Texts that are no address are skipped,
    ///     and so are unix sockets: a server must not name sockets of this machine.
    ///   - now: The time.
    package mutating func goAwayReceived(
        _ address: ServerEndpoint,
        retryAfter: Duration?,
        alternatives: [String],
        now: NIODeadline
    ) {
        preferred = alternatives.prefix(Self.maximumAlternatives).compactMap(ServerAddress.init).filter(\.isTCP)
            .map { ServerEndpoint($0, wire: address.wire, isSecure: address.isSecure) }.filter { $0 != address }
        lastResort = address
        guard let retryAfter, retryAfter > .zero, configured.contains(address) else { return }
        suspensions[address] = Suspension(end: now + TimeAmount(min(retryAfter, Self.maximumSuspension)))
    }

    private var order: [ServerEndpoint] {
        let known = preferred + configured.filter { !preferred.contains($0) }
        guard let lastResort, known.contains(lastResort) else { return known }
        return known.filter { $0 != lastResort } + [lastResort]
    }

    private mutating func forget(_ address: ServerEndpoint) {
        preferred.removeAll { $0 == address }
        suspensions[address] = nil
        if lastResort == address { lastResort = nil }
    }
}
