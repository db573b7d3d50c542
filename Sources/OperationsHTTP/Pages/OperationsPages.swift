package import HTTPFraming
package import MarvelDomain
package import RPCServer

package struct OperationsPages: Sendable {
    /// If not, the server should be restarted.
    package var isAlive: @Sendable () async -> Bool
    package var readiness: @Sendable () -> Readiness
    package var metrics: MetricsRegistry
    package var version: String
    /// The oldest connections, and the number of all; nil if the server does not answer.
    package var connections: @Sendable (_ limit: Int) async -> (oldest: [ConnectionDescription], count: Int)?
    package var status: @Sendable () -> StatusReport

    package init(
        isAlive: @escaping @Sendable () async -> Bool,
        readiness: @escaping @Sendable () -> Readiness,
        metrics: MetricsRegistry,
        version: String,
        connections: @escaping @Sendable (_ limit: Int) async -> (oldest: [ConnectionDescription], count: Int)?,
        status: @escaping @Sendable () -> StatusReport
    ) {
        self.isAlive = isAlive
        self.readiness = readiness
        self.metrics = metrics
        self.version = version
        self.connections = connections
        self.status = status
    }

    private static let maximumConnections = 1_000
    private static let defaultConnections = 100

    private enum Page: String {
        case status = "/"
        case liveness = "/livez"
        case readiness = "/readyz"
        case metrics = "/metrics"
        case version = "/version"
        case connections = "/connections"
    }

    /// A probe needs to prove nothing.
    static func isProbe(_ target: String) -> Bool { ["/livez", "/readyz"].contains(target.prefix { $0 != "?" }) }

    private static let notFound = PlainAnswer(
        404,
        .text,
        "pages: / /livez /readyz /metrics /version /connections\n"
    )
    private static let notAlive = PlainAnswer(503, .text, "an event loop ran no task for 2 s\n")

    package func reply(method: String, target: String) async -> PlainAnswer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1].split(separator: "&") : []
        guard let page = Page(rawValue: String(parts[0])) else { return Self.notFound }
        if let refusal = PlainAnswer.refusal(of: method, allowed: [.get, .head], notFound: Self.notFound) {
            return refusal
        }
        switch page {
        case .liveness: return await isAlive() ? PlainAnswer(200, .text, "alive\n") : Self.notAlive
        case .readiness:
            return readiness().reply(isVerbose: query.contains { $0 == "verbose" || $0.hasPrefix("verbose=") })
        case .metrics: return PlainAnswer(200, .metrics, PrometheusText.page(metrics.read()))
        case .version: return PlainAnswer(200, .json, JSONValue.object([("version", .string(version))]).line + "\n")
        case .connections: return await connectionsPage(query)
        case .status: return PlainAnswer(200, .html, StatusPage(status()).html)
        }
    }

    private func connectionsPage(_ query: [Substring]) async -> PlainAnswer {
        var limit = Self.defaultConnections
        if let parameter = query.first(where: { $0.hasPrefix("limit=") }) {
            guard let number = Int(parameter.dropFirst("limit=".count)), (1...Self.maximumConnections).contains(number)
            else { return PlainAnswer(400, .text, "limit must be 1 to \(Self.maximumConnections)\n") }
            limit = number
        }
        guard let (oldest, count) = await connections(limit) else { return Self.notAlive }
        return PlainAnswer(200, .json, ConnectionsPage.json(oldest, of: count))
    }
}
