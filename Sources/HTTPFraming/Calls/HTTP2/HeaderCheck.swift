internal import MarvelDomain
package import NIOHPACK

/// The check of a request's headers against the rules whose breach makes it malformed (RFC 9113, sections 8.2 and 8.3).
///
/// It is told of each header while the request is read, so that no header is read twice. What the reader knows by its name
/// has a valid name.
package struct HeaderCheck: Sendable {
    /// The headers that stand for the parts of HTTP/1.1's request line.
    struct PseudoHeaders: OptionSet {
        let rawValue: UInt8

        static let method = PseudoHeaders(rawValue: 1)
        static let scheme = PseudoHeaders(rawValue: 2)
        static let path = PseudoHeaders(rawValue: 4)
        static let authority = PseudoHeaders(rawValue: 8)

        /// Those without which there is no request.
        fileprivate static let required: PseudoHeaders = [.method, .scheme, .path]
        /// Those of a request that names nothing but a host (section 8.5).
        fileprivate static let ofConnect: PseudoHeaders = [.method, .authority]
    }

    private var seen: PseudoHeaders = []
    private var hasOthers = false
    private var isConnect = false
    /// Whether a header broke a rule.
    private var isBroken = false
    /// The size of the body that the request names; nil if it names none.
    private(set) var contentLength: Int?

    // MARK: Requests

    /// Whether the headers that were seen are not those of a request.
    var isMalformed: Bool {
        isBroken || (isConnect ? seen != .ofConnect : !seen.isSuperset(of: .required))
    }

    /// Notes a header that is malformed, whatever its value: one of a single connection, or a pseudo-header that is unknown.
    mutating func forbidden() { isBroken = true }

    /// Notes a pseudo-header. Each may come once, and all of them come first.
    mutating func pseudoHeader(_ header: PseudoHeaders, _ value: String) {
        // White space would divide a request line. No value may have it.
        let isValid = !value.hasByte { $0 <= 0x20 || $0 == 0x7F }
        if hasOthers || seen.contains(header) || !isValid { isBroken = true }
        seen.insert(header)
        switch header {
        case .method: isConnect = value == "CONNECT"
        case .path: if value.isEmpty { isBroken = true }
        default: break
        }
    }

    /// Notes a header whose name the reader knows. White space around its value would be lost on the way through HTTP/1.1.
    mutating func header(_ value: String) {
        hasOthers = true
        if value.hasByte(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) { isBroken = true }
        if value.utf8.first?.isWhiteSpace == true || value.utf8.last?.isWhiteSpace == true { isBroken = true }
    }

    /// Notes the header `host`, which names the same host as `:authority`, if both are there (section 8.3.1).
    mutating func host(_ value: String, authority: String?) {
        if let authority, authority.lowercased() != value.lowercased() { isBroken = true }
    }

    /// Notes the name of a header that the reader does not know. Its value is noted before.
    mutating func otherName(_ name: String) {
        if name.isEmpty || name.hasByte(where: { !$0.isOfName }) { isBroken = true }
    }

    /// Notes the header `te`, which has one value in HTTP/2.
    mutating func te(_ value: String) {
        if value != "trailers" { isBroken = true }
    }

    /// Notes the size that the body is to have. If it comes again, it has to be the same (RFC 9110, section 8.6).
    mutating func contentLength(_ value: String) {
        for length in value.split(separator: ",", omittingEmptySubsequences: false) {
            let digits = length.drop { $0 == " " }
            let number = digits.utf8.allSatisfy(\.isDigit) ? Int(digits) : nil
            if number == nil || (contentLength ?? number) != number { isBroken = true }
            contentLength = contentLength ?? number
        }
    }

    // MARK: Trailers

    /// Whether headers may be the last ones of a request: there is no pseudo-header, and none of a single connection.
    package static func areTrailers(_ headers: HPACKHeaders) -> Bool {
        var check = HeaderCheck()
        for (name, value, _) in headers {
            check.header(value)
            // A colon is not of a name.
            if isOfConnection(name) { check.forbidden() } else { check.otherName(name) }
        }
        return !check.isBroken
    }

    /// Whether a header concerns a single connection of HTTP/1.1 (section 8.2.2).
    static func isOfConnection(_ name: String) -> Bool {
        switch name {
        case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade": true
        default: false
        }
    }
}

extension String {
    fileprivate func hasByte(where isFound: (UInt8) -> Bool) -> Bool {
        // Going through the view itself takes ten times as long.
        utf8.withContiguousStorageIfAvailable { $0.contains(where: isFound) } ?? utf8.contains(where: isFound)
    }
}

extension UInt8 {
    fileprivate var isWhiteSpace: Bool { self == 0x20 || self == 0x09 }

    /// Whether the name of a header may have it: all that a token has (RFC 9110, section 5.6.2), without capital letters.
    fileprivate var isOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
        case UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
