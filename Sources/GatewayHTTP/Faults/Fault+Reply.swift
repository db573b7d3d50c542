internal import MarvelDomain

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
        case .wrongBody(let wrong): if reply.hasResults { wrong.replaceBody(of: &faulty) }
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

/// An HTML page in place of a response, like that of a proxy whose server is down.
enum FailurePage {
    static let reasons = [
        500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]

    static func html(_ title: String) -> [UInt8] {
        let page = """
            <html>
            <head><title>\(title)</title></head>
            <body>
            <center><h1>\(title)</h1></center>
            </body>
            </html>

            """
        return Array(page.utf8)
    }

    static func reply(status: Int) -> Reply {
        let title = [String(status), reasons[status]].compactMap(\.self).joined(separator: " ")
        var reply = Reply(status: status, body: html(title))
        reply["Content-Type"] = "text/html"
        return reply
    }
}
