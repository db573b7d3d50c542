package import NIOCore

/// The addresses of a service, and the decision which of them to try next and when.
///
/// Servers are tried in random order, so that clients spread over them, but the last good one first. A host name counts
/// as all its addresses, and is looked up again before a new connection. A failing address has its own backoff, which
/// grows with each failure. An address whose connection was lost, or that sent a GoAway, is tried last.
///
/// It is a value without a clock and without randomness: both are arguments.
package struct AddressBook: Sendable {
    /// The longest time for which a server can send its clients away.
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

    private var configured: [ServerRoutes]
    private let backoff: Backoff
    /// The last good route, which is tried first.
    private var preferred: ServerRoute?
    /// The route of the last lost connection or GoAway.
    private var lastResort: ServerRoute?
    private var suspensions: [ServerRoute: Suspension] = [:]

    /// `random` returns numbers, uniform in 0..<1, which choose the order of the servers. Without it they keep their
    /// order.
    package init(
        _ servers: [ServerEndpoint],
        backoff: Backoff = AddressBook.defaultBackoff,
        random: () -> Double = { 1 }
    ) {
        self.configured = servers.shuffled(by: random).map { ServerRoutes($0) }
        self.backoff = backoff
    }

    package enum OnAttempt: Sendable, Hashable {
        case connect(ServerRoute)
        case lookUp(ServerEndpoint)
        /// Every address has failed or sent a GoAway; this is the earliest time for another attempt.
        case wait(until: NIODeadline)
    }

    /// Returns the next attempt. Without any address it waits for ever.
    package func nextAttempt(now: NIODeadline) -> OnAttempt {
        var earliest = NIODeadline.distantFuture
        for step in steps(now: now) {
            switch step {
            case .lookUp, .wait:
                return step
            case .connect(let route):
                guard let suspension = suspensions[route], suspension.end > now else { return step }
                earliest = min(earliest, suspension.end)
            }
        }
        for lookup in configured.compactMap(\.nextAttemptToLookUp) { earliest = min(earliest, lookup) }
        return .wait(until: earliest)
    }

    package mutating func resolved(
        _ server: ServerEndpoint,
        _ addresses: [ServerAddress],
        now: NIODeadline,
        random: () -> Double
    ) {
        guard let index = configured.firstIndex(where: { $0.server == server }) else { return }
        configured[index].resolved(addresses, now: now, random: random)
        // A name that changed its addresses leaves nothing of the earlier ones.
        let routes = Set(configured[index].routes)
        if let last = preferred, last.server == server, !routes.contains(last) { preferred = nil }
        suspensions = suspensions.filter { $0.key.server != server || routes.contains($0.key) }
    }

    package mutating func lookupFailed(_ server: ServerEndpoint, now: NIODeadline, random: Double) {
        guard let index = configured.firstIndex(where: { $0.server == server }) else { return }
        configured[index].lookupFailed(backoff, now: now, random: random)
    }

    package mutating func succeeded(_ route: ServerRoute) {
        suspensions[route] = nil
        preferred = route
        lastResort = nil
    }

    /// Records that cannot open a connection, or was lost before the server sent anything.
    package mutating func failed(_ route: ServerRoute, now: NIODeadline, random: Double) {
        let failures = (suspensions[route]?.failures ?? 0) + 1
        let delay = backoff.delay(afterFailures: failures, random: random)
        suspensions[route] = Suspension(failures: failures, end: now + TimeAmount(delay))
    }

    /// Records the loss of a working connection with calls.
    ///
    /// The server's machine may have died, and a timeout would be needed to find out. So the others are tried first.
    package mutating func lost(_ route: ServerRoute) {
        lastResort = route
    }

    /// Ends the backoff of failed addresses. A server's own requested delay stays.
    package mutating func forgetFailures() {
        suspensions = suspensions.filter { $0.value.failures == 0 }
        for index in configured.indices { configured[index].forgetFailures() }
    }

    /// The server stops, or the connection reached its maximum age. The servers get a new random order. Otherwise
    /// clients that moved together would always move together, and leave a server empty. `random` returns numbers,
    /// uniform in 0..<1; without it the servers keep their order.
    package mutating func goAwayReceived(
        _ route: ServerRoute,
        retryAfter: Duration?,
        now: NIODeadline,
        random: () -> Double = { 1 }
    ) {
        configured = configured.shuffled(by: random)
        preferred = nil
        lastResort = route
        guard let retryAfter, retryAfter > .zero else { return }
        suspensions[route] = Suspension(end: now + TimeAmount(min(retryAfter, Self.maximumSuspension)))
    }

    private func steps(now: NIODeadline) -> [OnAttempt] {
        var steps = [preferred].compactMap(\.self).map { OnAttempt.connect($0) }
        for server in configured {
            if server.needsLookup(now: now) { steps.append(.lookUp(server.server)) }
            steps += server.routes.filter { $0 != preferred }.map { .connect($0) }
        }
        guard let lastResort, steps.contains(.connect(lastResort)) else { return steps }
        return steps.filter { $0 != .connect(lastResort) } + [.connect(lastResort)]
    }
}
