internal import Dispatch
internal import HTTPFraming
internal import Logging
internal import NIOCore
internal import RPCCore
internal import RPCServer

extension Gateway {
    private static let threads = DispatchQueue(label: "answers", attributes: .concurrent)

    /// Answers a request of HTTP, and logs the answer.
    func answer(_ request: PageRequest, logger: Logger) async -> PageAnswer {
        let (reply, delay) = await answerOnThread(GatewayRequest(request))
        if let failure = reply.failure { logger.error("documents cannot be read", metadata: ["reason": "\(failure)"]) }
        let route = Route(path: RequestTarget(request.target).path)
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

    /// Answers on another thread if saved documents are read, which waits for the disk and for others.
    private func answerOnThread(_ request: GatewayRequest) async -> (Reply, delay: Duration) {
        guard hasDocuments else { return answer(request) }
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

    /// Returns the text if it is a host with or without a port, else nil. The host is used in the URLs of replies.
    private static func checkedHost(_ text: String) -> String? {
        let isHost = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._:[]".contains($0)) }
        return isHost && (1...255).contains(text.count) ? text : nil
    }
}
