internal import NIOCore

/// A server, and the one of its addresses to connect to.
package struct ServerRoute: Sendable, Hashable {
    /// The server as it was named. TLS verifies this name.
    package var server: ServerEndpoint
    /// The address to connect to: one that the server's name stands for, or the address by which the server was named.
    package var address: ServerAddress

    /// - Parameters:
    ///   - server: The server as it was named.
    ///   - address: The address to connect to; nil for the address by which the server was named.
    package init(_ server: ServerEndpoint, at address: ServerAddress? = nil) {
        self.server = server
        self.address = address ?? server.address
    }
}

extension ServerAddress {
    /// Whether it is a host name, which may stand for several addresses.
    package var isHostName: Bool {
        guard case .tcp(let host, let port) = self else { return false }
        return (try? SocketAddress(ipAddress: host, port: port)) == nil
    }

    /// Whether it is a numeric address of IPv6.
    var isIPv6: Bool {
        guard case .tcp(let host, _) = self else { return false }
        return host.contains(":")
    }
}

/// The addresses of a configured server.
struct ServerRoutes: Sendable {
    /// The maximum number of addresses of one name.
    static let maximumCount = 32
    /// The time after which a name is looked up again, before a new connection to one of its addresses.
    static let lookupInterval = Duration.seconds(5)

    let server: ServerEndpoint
    /// The routes in the order in which they are tried. For a host name they are the result of the last lookup.
    private(set) var routes: [ServerRoute]
    /// The time from which a name is looked up again; nil for a server that is not named by a host name.
    private(set) var nextLookup: NIODeadline?
    /// The failed lookups since the last successful one.
    private var failedLookups = 0

    init(_ server: ServerEndpoint) {
        self.server = server
        let isName = server.address.isHostName
        routes = isName ? [] : [ServerRoute(server)]
        nextLookup = isName ? .uptimeNanoseconds(0) : nil
    }

    /// The time of the next attempt to look up a name whose lookup failed.
    var nextAttemptToLookUp: NIODeadline? { failedLookups > 0 ? nextLookup : nil }

    func needsLookup(now: NIODeadline) -> Bool {
        nextLookup.map { $0 <= now } ?? false
    }

    /// Notes the addresses of the name, in the order in which the system prefers them.
    ///
    /// Clients of one name spread over its addresses. The families keep the system's order, because the system knows
    /// which of them this machine can reach.
    mutating func resolved(_ addresses: [ServerAddress], now: NIODeadline, random: () -> Double) {
        var families: [[ServerAddress]] = []
        for address in addresses.prefix(Self.maximumCount) where !families.joined().contains(address) {
            if families.last?.first?.isIPv6 == address.isIPv6 {
                families[families.count - 1].append(address)
            } else {
                families.append([address])
            }
        }
        routes = families.flatMap { $0.shuffled(by: random) }.map { ServerRoute(server, at: $0) }
        failedLookups = 0
        nextLookup = now + TimeAmount(Self.lookupInterval)
    }

    /// Notes that the name could not be looked up. Its earlier addresses are kept.
    mutating func lookupFailed(_ backoff: Backoff, now: NIODeadline, random: Double) {
        failedLookups += 1
        nextLookup = now + TimeAmount(backoff.delay(afterFailures: failedLookups, random: random))
    }

    /// Ends the backoff of lookups that failed.
    mutating func forgetFailures() {
        guard failedLookups > 0 else { return }
        failedLookups = 0
        nextLookup = .uptimeNanoseconds(0)
    }
}

extension Array {
    /// Returns the elements in an order that random numbers in 0...1 choose. Numbers of 1 leave the order as it is.
    func shuffled(by random: () -> Double) -> [Element] {
        var elements = self
        for last in elements.indices.dropFirst().reversed() {
            let chosen = Int(random() * Double(last + 1))
            elements.swapAt(Swift.min(Swift.max(chosen, 0), last), last)
        }
        return elements
    }
}
