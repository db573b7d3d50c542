internal import HTTPFraming
internal import MarvelDomain
internal import RPCCore
package import RPCServer

/// Takes the values of the request's `authorization`. Returns the refusal if the sender may not see the pages.
package typealias OperatorCheck = @Sendable (_ credentials: [String], _ peer: ConnectionPeer) -> OperatorRefusal?

extension OperationsPages {
    func answer(to request: PageRequest, access: OperatorCheck) async -> PageAnswer {
        // A web page of another server could give its own name the address of this machine, and read the pages.
        guard !request.peer.isLocal || ServerAddress.isLoopback(authority: request.authority) else {
            return PageAnswer(PlainAnswer(403, .text, "use the address of this machine to open this port\n"))
        }
        if !Self.isProbe(request.target),
            let refusal = access(request.values(of: "authorization").map(Self.bearer), request.peer)
        {
            var answer = PageAnswer(PlainAnswer(refusal.failure))
            answer.delay = refusal.delay
            return answer
        }
        return PageAnswer(await reply(method: request.method, target: request.target))
    }

    /// A browser sends a token as the password of Basic, with any user name (RFC 7617).
    private static func bearer(_ credentials: String) -> String {
        let scheme = "Basic "
        guard credentials.prefix(scheme.count).lowercased() == scheme.lowercased(),
            let bytes = Base64.decode(String(credentials.dropFirst(scheme.count).drop { $0 == " " })),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return credentials }
        return "Bearer \(text[text.index(after: colon)...])"
    }
}
