package import NIOCore

/// The addresses of a service, and which of them to try next and when.
///
/// Servers are tried in an order of chance, so that many clients spread over them, but the last good one first. A host
/// name counts as all its addresses, and is looked up again before a new connection. An address that fails is not tried
/// for a backoff time of its own, which grows with each failure. An address whose connection was lost, or that sent a
/// GoAway, is tried after the others.
///
/// It is a value without a clock and without randomness: both are arguments.
package struct AddressBook: Sendable {
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

    private var configured: [ServerRoutes]
    private let backoff: Backoff
    /// The last good route, which is tried before the others.
    private var preferred: ServerRoute?
    /// The route of the connection that ended last, or whose server sent a GoAway last.
    private var lastResort: ServerRoute?
    private var suspensions: [ServerRoute: Suspension] = [:]

    /// - Parameters:
    ///   - servers: The servers of the service.
    ///   - backoff: The wait after a failure.
    ///   - random: Returns random numbers, evenly distributed in 0..<1, that choose the order of the servers. Without it
    ///     they keep their order.
    package init(
        _ servers: [ServerEndpoint],
        backoff: Backoff = AddressBook.defaultBackoff,
        random: () -> Double = { 1 }
    ) {
        self.configured = servers.shuffled(by: random).map { ServerRoutes($0) }
        self.backoff = backoff
    }

    /// The next attempt to connect.
    package enum OnAttempt: Sendable, Hashable {
        case connect(ServerRoute)
        /// The server's host name has to be looked up before it can be tried.
        case lookUp(ServerEndpoint)
        /// Each address has failed or sent a GoAway; this is the earliest time at which one of them may be tried again.
        case wait(until: NIODeadline)
    }

    /// Returns the address to connect to now. Without any address it says to wait for ever.
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

    /// Notes the addresses of a server's host name, in the order in which the system prefers them.
    package mutating func resolved(
        _ server: ServerEndpoint,
        _ addresses: [ServerAddress],
        now: NIODeadline,
        random: () -> Double
    ) {
        guard let index = configured.firstIndex(where: { $0.server == server }) else { return }
        configured[index].resolved(addresses, now: now, random: random)
        // A name that stands for other addresses now leaves nothing of the earlier ones.
        let routes = Set(configured[index].routes)
        if let last = preferred, last.server == server, !routes.contains(last) { preferred = nil }
        suspensions = suspensions.filter { $0.key.server != server || routes.contains($0.key) }
    }

    /// Notes that the addresses of a server's host name could not be found out.
    package mutating func lookupFailed(_ server: ServerEndpoint, now: NIODeadline, random: Double) {
        guard let index = configured.firstIndex(where: { $0.server == server }) else { return }
        configured[index].lookupFailed(backoff, now: now, random: random)
    }

    /// Notes that a server answered at the address.
    package mutating func succeeded(_ route: ServerRoute) {
        suspensions[route] = nil
        preferred = route
        lastResort = nil
    }

    /// Notes that no connection could be opened, or that it was lost before the server sent anything.
    package mutating func failed(_ route: ServerRoute, now: NIODeadline, random: Double) {
        let failures = (suspensions[route]?.failures ?? 0) + 1
        let delay = backoff.delay(afterFailures: failures, random: random)
        suspensions[route] = Suspension(failures: failures, end: now + TimeAmount(delay))
    }

    /// Notes that the connection to a server that had answered was lost, with calls.
    ///
    /// The server may have died with its machine, and then it costs a timeout to find out. So the others are tried first.
    package mutating func lost(_ route: ServerRoute) {
        lastResort = route
    }

    /// Allows addresses that did not answer to be tried again at once. A server that asked for a delay keeps it.
    package mutating func forgetFailures() {
        suspensions = suspensions.filter { $0.value.failures == 0 }
        for index in configured.indices { configured[index].forgetFailures() }
    }

    /// Notes that the server at the address takes no more calls of the connection: it stops, or the connection has reached
    /// its age. The others get a new order of chance: in their old one, clients that have moved together would always move
    /// together, and leave a server empty each time.
    ///
    /// - Parameters:
    ///   - route: The address of the connection.
    ///   - retryAfter: The time for which to stay away from it.
    ///   - now: The time.
    ///   - random: Returns random numbers, evenly distributed in 0..<1. Without it the servers keep their order.
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

    /// All that may be tried, in order, whether suspended or not.
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
