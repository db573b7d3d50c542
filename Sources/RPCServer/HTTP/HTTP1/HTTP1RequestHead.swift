internal import MarvelDomain
internal import NIOHPACK
internal import NIOHTTP1

/// The rules for the head of a request that are HTTP/1.1's alone (RFC 9112).
extension HTTPRequestHead {
    /// The same head in the form of HTTP/2. Nil if the request does not name a valid host once (section 3.2), or has a header
    /// that takes too long to compare. The target is ASCII.
    var fields: HPACKHeaders? {
        guard headers.allSatisfy({ $0.value.hasShortMarkRuns }) else { return nil }
        let hosts = headers["host"]
        guard hosts.count == 1 || hosts.isEmpty && isHTTP10 else { return nil }
        let target = absoluteTarget
        let authority = target.map { String($0.authority) } ?? hosts.first
        guard hosts.allSatisfy(\.isHost), authority?.isHost ?? true else { return nil }
        var fields = HPACKHeaders([(":method", method.rawValue), (":path", target?.path ?? uri)])
        if let authority { fields.add(name: ":authority", value: authority) }
        for (name, value) in headers { fields.add(name: name.lowercased(), value: value) }
        return fields
    }

    /// The parts of a target that is a whole address (section 3.2.2); nil for other forms. Its host replaces the header's.
    private var absoluteTarget: (authority: Substring, path: String)? {
        guard uri.utf8.first != UInt8(ascii: "/") else { return nil }
        let start = uri.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: start.hasPrefix) else { return nil }
        let rest = uri.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let path = rest[end...]
        return (rest[..<end], path.hasPrefix("/") ? String(path) : "/\(path)")
    }

    /// Whether the body has no transfer coding but chunks (RFC 9112, section 6.1).
    var hasKnownCoding: Bool {
        let codings = headers[canonicalForm: "transfer-encoding"]
        return codings.isEmpty || codings.count == 1 && codings[0].lowercased() == "chunked"
    }

    /// Whether the client knows neither the answer 100 nor chunks.
    var isHTTP10: Bool { version.minor == 0 }

    /// Whether the client waits for the answer 100 before it sends the body (RFC 9110, section 10.1.1).
    var waitsForContinue: Bool { !isHTTP10 && expectsContinue }

    private var expectsContinue: Bool { headers["expect"].contains { $0.lowercased() == "100-continue" } }

    var permitsAnother: Bool { isKeepAlive && !isHTTP10 && method != .CONNECT }

    /// The maximum size of the rest of a request that is read to be discarded, in bytes.
    private static let maximumRestByteCount = 64 * 1024

    /// Whether the body is short and will come, whatever is answered.
    var hasShortBody: Bool {
        if expectsContinue || headers.contains(name: "transfer-encoding") { return false }
        guard let length = headers.first(name: "content-length") else { return true }
        return Int(length).map { $0 <= Self.maximumRestByteCount } ?? false
    }
}

extension String {
    /// Whether it is a host and perhaps a port (RFC 9110, section 7.2), or empty. A user's name is no part of either
    /// (section 4.2.4).
    fileprivate var isHost: Bool {
        let isAddress = hasPrefix("[")
        let end = isAddress ? firstIndex(of: "]").map(index(after:)) : firstIndex(of: ":") ?? endIndex
        guard let end else { return false }
        let port = self[end...]
        return self[..<end].utf8.allSatisfy { isAddress ? $0.isOfAddress : $0.isOfName }
            && (port.isEmpty || port.first == ":" && port.dropFirst().utf8.allSatisfy { $0.isDigit })
    }
}

extension UInt8 {
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// Whether a host's name may have it (RFC 3986, section 3.2.2).
    fileprivate var isOfName: Bool { isDigit || isLetter || "-._~%!$&'()*+,;=".utf8.contains(self) }

    /// Whether an address in brackets may have it.
    fileprivate var isOfAddress: Bool { isDigit || isLetter || "[]:.".utf8.contains(self) }
}
