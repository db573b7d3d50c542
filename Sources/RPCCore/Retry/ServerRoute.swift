internal import NIOCore

package struct ServerRoute: Sendable, Hashable {
    /// The server as configured. TLS verifies this name.
    package var server: ServerEndpoint
    /// The address to connect to: one of the name's addresses, or the configured one.
    package var address: ServerAddress

    /// A nil `address` means the configured one.
    package init(_ server: ServerEndpoint, at address: ServerAddress? = nil) {
        self.server = server
        self.address = address ?? server.address
    }
}

extension ServerAddress {
    package var isHostName: Bool {
        guard case .tcp(let host, let port) = self else { return false }
        return (try? SocketAddress(ipAddress: host, port: port)) == nil
    }

    var isIPv6: Bool {
        guard case .tcp(let host, _) = self else { return false }
        return host.contains(":")
    }
}

struct ServerRoutes: Sendable {
    static let maximumCount = 32
    /// After this time, a new connection looks up the name again.
    static let lookupInterval = Duration.seconds(5)

    let server: ServerEndpoint
    /// In the order of attempts. For a host name, the result of the last lookup.
    private(set) var routes: [ServerRoute]
    /// When to look up the name again; nil for a server without a host name.
    private(set) var nextLookup: NIODeadline?
    private var failedLookups = 0

    init(_ server: ServerEndpoint) {
        self.server = server
        let isName = server.address.isHostName
        routes = isName ? [] : [ServerRoute(server)]
        nextLookup = isName ? .uptimeNanoseconds(0) : nil
    }

    /// When to retry a failed lookup.
    var nextAttemptToLookUp: NIODeadline? { failedLookups > 0 ? nextLookup : nil }

    func needsLookup(now: NIODeadline) -> Bool {
        nextLookup.map { $0 <= now } ?? false
    }

    /// Records the addresses of the name, in the system's order of preference.
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

    /// Records a failed lookup. The earlier addresses are kept.
    mutating func lookupFailed(_ backoff: Backoff, now: NIODeadline, random: Double) {
        failedLookups += 1
        nextLookup = now + TimeAmount(backoff.delay(afterFailures: failedLookups, random: random))
    }

    mutating func forgetFailures() {
        guard failedLookups > 0 else { return }
        failedLookups = 0
        nextLookup = .uptimeNanoseconds(0)
    }
}

extension Array {
    /// Shuffles by random numbers in 0...1. Numbers of 1 keep the order.
    func shuffled(by random: () -> Double) -> [Element] {
        var elements = self
        for last in elements.indices.dropFirst().reversed() {
            let chosen = Int(random() * Double(last + 1))
            elements.swapAt(Swift.min(Swift.max(chosen, 0), last), last)
        }
        return elements
    }
}
