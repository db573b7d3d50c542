internal import HTTPFraming
internal import MarvelDomain

struct Reply: Sendable, Hashable {
    struct Header: Sendable, Hashable {
        let name: String
        let value: String
    }

    enum Ending: Sendable, Hashable {
        case whole
        case cut
    }

    var status: Int
    var headers: [Header] = []
    var body: [UInt8]
    var ending = Ending.whole
    var failure: String?

    init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
        // Pages of any origin may read the replies, because access does not depend on cookies.
        self["Access-Control-Allow-Origin"] = "*"
    }

    subscript(name: String) -> String? {
        get { headers.first { $0.name == name }?.value }
        set {
            headers.removeAll { $0.name == name }
            if let newValue { headers.append(Header(name: name, value: newValue)) }
        }
    }
}

extension Reply {
    private static let pictureType = "image/png"

    static let methods: HTTPMethods = [.get, .options]

    var hasResults: Bool { status == 200 && !body.isEmpty && self["Content-Type"] != Reply.pictureType }

    /// Errors are too short for gzip, and pictures are compressed already.
    var compressed: Reply {
        guard hasResults, let bytes = Gzip.compress(body) else { return self }
        var reply = self
        reply.body = bytes
        reply["Content-Encoding"] = "gzip"
        return reply
    }

    static func json(_ body: [UInt8], status: Int = 200, callback: Callback? = nil) -> Reply {
        var reply = Reply(status: status, body: callback?.wrap(body) ?? body)
        reply["Content-Type"] = "\(callback == nil ? "application/json" : "text/javascript"); charset=utf-8"
        return reply
    }

    static func error(_ error: GatewayError, callback: Callback? = nil) -> Reply {
        var reply = json(error.body, status: error.status, callback: callback)
        switch error {
        case .methodNotAllowed: reply["Allow"] = methods.allow
        case .failed(let reason): reply.failure = reason
        default: break
        }
        return reply
    }

    /// Pictures never change, so clients may cache them for a day.
    static func picture(_ png: [UInt8]) -> Reply {
        var reply = Reply(status: 200, body: png)
        reply["Content-Type"] = pictureType
        reply["Cache-Control"] = "public, max-age=86400"
        return reply
    }

    static func preflight(_ requestedHeaders: String?) -> Reply {
        var reply = Reply(status: 204)
        reply["Access-Control-Allow-Methods"] = methods.allow
        reply["Access-Control-Allow-Headers"] = requestedHeaders ?? "*"
        reply["Access-Control-Max-Age"] = "86400"
        // Browsers ask for this before a page of the internet may call a gateway in the local network.
        reply["Access-Control-Allow-Private-Network"] = "true"
        return reply
    }
}

struct Callback: Hashable {
    static let maximumLength = 128

    private let name: String

    /// Nil unless a dotted path of JavaScript names, so that a page runs nothing but a call.
    init?(_ text: String) {
        guard (1...Callback.maximumLength).contains(text.utf8.count),
            text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(Callback.isName)
        else { return nil }
        self.name = text
    }

    func wrap(_ json: [UInt8]) -> [UInt8] { Array("\(name)(".utf8) + json + ")".utf8 }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !first.isDigit else { return false }
        return text.utf8.allSatisfy {
            $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || "_$".utf8.contains($0)
        }
    }
}
