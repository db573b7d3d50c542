internal import Dispatch
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import RPCCore
internal import ServiceLifecycle

/// An adapter that converts requests and replies between Hummingbird and `Gateway`.
struct GatewayResponder: HTTPResponder {
    let gateway: Gateway
    let logger: Logger

    func respond(to request: Request, context: GatewayContext) async throws -> Response {
        let (reply, delay) = await answer(to: GatewayRequest(request, localAddress: context.localAddress))
        if let failure = reply.failure { logger.error("documents cannot be read", metadata: ["reason": "\(failure)"]) }
        let route = Route(path: RequestTarget(request.head.path ?? "").path)
        logger.debug(
            "answered",
            metadata: [
                // The target as sent must not be logged, because it holds credentials.
                "method": "\(request.method)", "route": "\(route?.pattern ?? "unknown")",
                "status": .stringConvertible(reply.status), "bytes": .stringConvertible(reply.body.count),
                "delay_ms": .stringConvertible(Int(delay / .milliseconds(1))),
            ]
        )
        if delay > .zero {
            // A shutdown ends the delay, so that clients do not wait for a gateway that is stopping.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: delay) }
        }
        return Response(reply, to: request)
    }
}

extension GatewayResponder {
    private static let threads = DispatchQueue(label: "answers", attributes: .concurrent)

    /// Answers a request; on another thread if saved documents are read, which waits for the disk and for others.
    private func answer(to request: GatewayRequest) async -> (Reply, delay: Duration) {
        guard gateway.hasDocuments else { return gateway.answer(request) }
        return await withCheckedContinuation { continuation in
            Self.threads.async { continuation.resume(returning: gateway.answer(request)) }
        }
    }
}

/// The context of a request: the local address at which it arrived.
struct GatewayContext: InitializableFromSource {
    let localAddress: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        self.localAddress = source.channel.localAddress
    }
}

extension GatewayRequest {
    fileprivate init(_ request: Request, localAddress: SocketAddress?) {
        self.init(
            method: request.method.rawValue,
            target: request.head.path ?? "",
            host: request.head.authority.flatMap(HostName.checked) ?? HostName.text(localAddress),
            referer: request.headers[.referer] ?? request.headers[.origin],
            ifNoneMatch: request.headers[.ifNoneMatch],
            acceptEncoding: request.headers[.acceptEncoding],
            requestedHeaders: request.headers[.accessControlRequestHeaders]
        )
    }
}

private enum HostName {
    /// Returns the text if it is a host with or without a port, else nil. The host is used in the URLs of replies.
    static func checked(_ text: String) -> String? {
        let isHost = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._:[]".contains($0)) }
        return isHost && (1...255).contains(text.count) ? text : nil
    }

    static func text(_ address: SocketAddress?) -> String {
        ServerAddress(address)?.description ?? "localhost"
    }
}

extension Response {
    fileprivate init(_ reply: Reply, to request: Request) {
        var headers = HTTPFields()
        for header in reply.headers {
            guard let name = HTTPFields.Element.Name(header.name) else { continue }
            headers.append(HTTPFields.Element(name: name, value: header.value))
        }
        let wantsClose = request.headers[.connection]?.lowercased() == "close"
        headers[.connection] = wantsClose ? "close" : "keep-alive"
        let body = reply.responseBody
        self.init(status: HTTPResponse.Status(code: reply.status), headers: headers, body: body)
        if request.method == .head { self = createHeadResponse() }
    }
}

extension Reply {
    /// The body to send. A cut one announces its complete length, sends half of it, and fails the connection.
    fileprivate var responseBody: ResponseBody {
        switch ending {
        case .whole:
            return ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        case .cut:
            let half = ByteBuffer(bytes: body.prefix(body.count / 2))
            return ResponseBody(contentLength: body.count) { writer in
                try await writer.write(half)
                throw ConnectionCut()
            }
        }
    }
}

/// An error that closes a connection on purpose.
private struct ConnectionCut: Error {}
