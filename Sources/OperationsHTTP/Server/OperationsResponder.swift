internal import Hummingbird
internal import MarvelDomain
package import NIOCore
package import RPCCore

/// A function that decides whether the sender of a request may see the pages for operators.
///
/// It takes the values of the request's `authorization`, and its connection. It returns the reason if the sender may not.
package typealias OperatorCheck =
    @Sendable (_ credentials: [String], _ channel: any Channel) async -> AccessFailure?

/// An adapter that converts requests and replies between Hummingbird and `OperationsPages`.
struct OperationsResponder: HTTPResponder {
    let pages: OperationsPages
    let access: OperatorCheck

    func respond(to request: Request, context: OperationsContext) async throws -> Response {
        // A web page of another server could give its own name the address of this machine, and read the pages.
        guard !context.isLoopback || ServerAddress.isLoopback(authority: request.head.authority) else {
            return Response(OperationsReply(403, .text, "call this port by the address of this machine\n"), to: request)
        }
        let target = request.head.path ?? ""
        if !OperationsPages.isProbe(target),
            let failure = await access(request.headers[values: .authorization].map(Self.bearer), context.channel)
        {
            return Response(OperationsReply(failure), to: request)
        }
        return Response(await pages.reply(method: request.method.rawValue, target: target), to: request)
    }

    /// Returns the credentials as those of Bearer. A browser sends a token as the password of Basic, with any user name.
    /// (RFC 7617)
    private static func bearer(_ credentials: String) -> String {
        let scheme = "Basic "
        guard credentials.prefix(scheme.count).lowercased() == scheme.lowercased(),
            let bytes = Base64.decode(String(credentials.dropFirst(scheme.count).drop { $0 == " " })),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return credentials }
        return "Bearer \(text[text.index(after: colon)...])"
    }
}

/// The context of a request: its connection, and whether that arrived at an address that only this machine can reach.
struct OperationsContext: InitializableFromSource {
    let channel: any Channel
    let isLoopback: Bool

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
        isLoopback = PeerAddress(source.channel.localAddress).map { $0 == .loopback } ?? true
    }
}

extension Response {
    fileprivate init(_ reply: OperationsReply, to request: Request) {
        var headers = HTTPFields()
        headers[.contentType] = reply.type.rawValue
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        // The page of the status has a style of its own, and nothing else.
        headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        if reply.status == 405 { headers[.allow] = "GET, HEAD" }
        // With Basic a browser asks for the token.
        let basic = reply.status == 401 ? [OperationsReply.basic] : []
        headers[values: .wwwAuthenticate] = (reply.challenge.map { [$0] } ?? []) + basic
        let wantsClose = request.headers[.connection]?.lowercased() == "close"
        headers[.connection] = wantsClose ? "close" : "keep-alive"
        self.init(
            status: HTTPResponse.Status(code: reply.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: reply.body))
        )
        if request.method == .head { self = createHeadResponse() }
    }
}
