internal import Catalog
internal import Dispatch
internal import HTTPFraming
package import Logging
internal import NIOCore
package import RPCCore
package import RPCServer

package enum GatewayServer {
    private static var configuration: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.maximumConnections = 1024
        configuration.maximumConnectionsPerAddress = 256
        configuration.makesRoom = true
        configuration.limits.frameTimeout = .seconds(5)
        configuration.limits.writeTimeout = .seconds(75)
        configuration.limits.idleTimeout = .seconds(75)
        // Longer than a client needs to read a page. With the time to close, it is what supervisors allow.
        configuration.drainTimeout = .seconds(8)
        return configuration
    }

    /// Binds the address and begins to serve.
    ///
    /// - Parameters:
    ///   - gateway: The gateway that replies.
    ///   - address: The address; port 0 for any free port.
    ///   - logger: The log: one line per reply at debug level, always without the query.
    ///   - onFailure: Called with the reason for each request that fails because the documents cannot be read.
    /// - Returns: The running server.
    /// - Throws: `StartupError` if the address cannot be bound.
    package static func start(
        _ gateway: Gateway,
        at address: ServerAddress,
        logger: Logger,
        onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(StartupError) -> RPCServer {
        let gate = Gateway.makeGate()
        let wire = ServerWire.pages("gateway") { request in
            await gateway.answer(request, through: gate, logger: logger, onFailure: onFailure)
        }
        return try await RPCServer.start(
            on: [ListeningEndpoint(address, wire: wire)],
            services: [],
            configuration: configuration,
            // The quotas are those of calls.
            caller: { _ in nil },
            logger: logger
        )
    }
}

extension Gateway {
    private static let threads = DispatchQueue(label: "answers", attributes: .concurrent)
    /// Meanwhile the reply before can be written.
    private static let maximumRunning = 2
    private static let maximumWaiting = 64

    static func makeGate() -> SearchGate { SearchGate(running: maximumRunning, waiting: maximumWaiting) }

    /// Answers a request of HTTP, and logs the answer.
    func answer(
        _ request: PageRequest,
        through gate: SearchGate,
        logger: Logger,
        onFailure: (String) -> Void
    ) async -> PageAnswer {
        let route = Route(path: RequestTarget(request.target).path)
        let request = GatewayRequest(request)
        let (reply, delay) = await answer(request, to: route, through: gate)
        if let failure = reply.failure { onFailure(failure) }
        logger.debug(
            "answered",
            metadata: [
                // The target as sent must not be logged, because it holds credentials.
                "method": "\(request.method)", "route": "\(route?.pattern ?? "unknown")",
                "status": .stringConvertible(reply.status), "bytes": .stringConvertible(reply.body.count),
                "delay_ms": .stringConvertible(Int(delay / .milliseconds(1))),
            ]
        )
        let headers = reply.headers.map { ($0.name, $0.value) }
        var answer = PageAnswer(PlainAnswer(reply.status, headers, body: ByteBuffer(bytes: reply.body)))
        answer.delay = delay
        answer.isCut = reply.ending == .cut
        return answer
    }

    /// If it reads documents, on another thread, when the gate admits it. A request whose client is gone costs nothing.
    func answer(
        _ request: GatewayRequest,
        to route: Route?,
        through gate: SearchGate
    ) async -> (reply: Reply, delay: Duration) {
        var overloaded: Reply { .error(.overloaded, callback: RequestTarget(request.target).callback) }
        guard !Task.isCancelled else { return (overloaded, .zero) }
        guard readsDocuments(route) else { return answer(request) }
        do { try await gate.enter() } catch { return (overloaded, .zero) }
        defer { gate.leave() }
        return await withCheckedContinuation { continuation in
            Self.threads.async { [self] in continuation.resume(returning: answer(request)) }
        }
    }
}

extension GatewayRequest {
    fileprivate init(_ request: PageRequest) {
        let address = ServerAddress(request.peer.localAddress)?.description ?? "localhost"
        self.init(
            method: request.method,
            target: request.target,
            host: request.authority.flatMap(Self.checkedHost) ?? address,
            referer: request.values(of: "referer").first ?? request.values(of: "origin").first,
            ifNoneMatch: request.list("if-none-match"),
            acceptEncoding: request.list("accept-encoding"),
            requestedHeaders: request.list("access-control-request-headers")
        )
    }

    /// Nil unless a host with or without a port. Replies use it in URLs.
    private static func checkedHost(_ text: String) -> String? {
        let isHost = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._:[]".contains($0)) }
        return isHost && (1...255).contains(text.count) ? text : nil
    }
}

struct GatewayRequest: Sendable, Hashable {
    var method = "GET"
    /// Exactly as sent.
    var target: String
    var host: String
    /// `Referer`, or else `Origin`: the page whose script sends the request.
    var referer: String?
    var ifNoneMatch: String?
    var acceptEncoding: String?
    /// A field of a preflight request.
    var requestedHeaders: String?
}

struct RequestTarget {
    let path: Substring
    let parameters: QueryParameters

    /// The origin form (`/v1/public/...`), or the absolute form for a proxy (RFC 9112 section 3.2).
    init(_ text: String) {
        var rest = text[...]
        if !rest.hasPrefix("/"), let authority = rest.firstRange(of: "://")?.upperBound {
            rest = rest[authority...].drop { $0 != "/" && $0 != "?" }
        }
        let query = rest.firstIndex(of: "?") ?? rest.endIndex
        self.path = rest[..<query]
        self.parameters = QueryParameters(rest[query...].dropFirst())
    }

    var callback: Callback? { parameters["callback"].flatMap(Callback.init) }
}
