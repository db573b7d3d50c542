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
