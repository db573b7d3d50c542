internal import MarvelAPI

extension Fault.Kind {
    /// The reply that replaces every other reply; nil for the other faults.
    var replacement: Reply? {
        if case .failure(let status) = self { FailurePage.reply(status: status) } else { nil }
    }

    /// Applies the fault to a successful reply. A reply without a body, or with an error, is left unchanged.
    func applied(to reply: Reply) -> Reply {
        guard reply.status == 200, !reply.body.isEmpty else { return reply }
        var faulty = reply
        switch self {
        case .none, .failure: break
        case .cut: faulty.ending = .cut
        case .wrongBody(let wrong): if reply.hasCharacters { wrong.replaceBody(of: &faulty) }
        }
        return faulty
    }
}

extension Fault.WrongBody {
    fileprivate func replaceBody(of reply: inout Reply) {
        switch self {
        case .halfJSON:
            reply.body.removeLast(reply.body.count - reply.body.count / 2)
        case .wrongShape:
            reply.body = JSONWriter.object { json in
                json.field("code", 200)
                json.field("status", "Ok")
                json.array("data", EmptyCollection<Never>()) { _, _ in }
            }
        case .html:
            reply.body = FailurePage.html("Welcome")
            reply["Content-Type"] = "text/html"
        }
    }
}
