internal import MarvelDomain
package import NIOHPACK

/// The check of a request's headers against the rules of RFC 9113, sections 8.2 and 8.3. A request that breaks them is
/// malformed.
///
/// The reader of a request passes each header, so that no header is read twice. Names that the reader knows are valid.
package struct HeaderCheck: Sendable {
    /// The headers for the parts of HTTP/1.1's request line.
    struct PseudoHeaders: OptionSet {
        let rawValue: UInt8

        static let method = PseudoHeaders(rawValue: 1)
        static let scheme = PseudoHeaders(rawValue: 2)
        static let path = PseudoHeaders(rawValue: 4)
        static let authority = PseudoHeaders(rawValue: 8)

        fileprivate static let required: PseudoHeaders = [.method, .scheme, .path]
        /// Those of a request that names only a host (section 8.5).
        fileprivate static let ofConnect: PseudoHeaders = [.method, .authority]
    }

    private var seen: PseudoHeaders = []
    private var hasOthers = false
    private var isConnect = false
    private var isBroken = false
    private(set) var contentLength: Int?

    // MARK: Requests

    /// Whether the headers so far are not those of a request.
    var isMalformed: Bool {
        isBroken || (isConnect ? seen != .ofConnect : !seen.isSuperset(of: .required))
    }

    /// A header that is malformed whatever its value: a connection-specific header, or an unknown pseudo-header.
    mutating func forbidden() { isBroken = true }

    /// Each pseudo-header may come once, and all of them come first.
    mutating func pseudoHeader(_ header: PseudoHeaders, _ value: String) {
        // White space would divide a request line, so it is invalid.
        let isValid = !value.hasByte { $0 <= 0x20 || $0 == 0x7F }
        if hasOthers || seen.contains(header) || !isValid { isBroken = true }
        seen.insert(header)
        switch header {
        case .method: isConnect = value == "CONNECT"
        case .path: if value.isEmpty { isBroken = true }
        default: break
        }
    }

    /// A header whose name the reader knows. White space around its value would be lost on the way through HTTP/1.1.
    mutating func header(_ value: String) {
        hasOthers = true
        if value.hasByte(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) { isBroken = true }
        if value.utf8.first?.isWhiteSpace == true || value.utf8.last?.isWhiteSpace == true { isBroken = true }
    }

    /// `host` and `:authority` must name the same host, if both are there (section 8.3.1).
    mutating func host(_ value: String, authority: String?) {
        if let authority, authority.lowercased() != value.lowercased() { isBroken = true }
    }

    /// The name of a header that the reader does not know. Its value was checked before.
    mutating func otherName(_ name: String) {
        if name.isEmpty || name.hasByte(where: { !$0.isOfName }) { isBroken = true }
    }

    /// `te` has one value in HTTP/2.
    mutating func te(_ value: String) {
        if value != "trailers" { isBroken = true }
    }

    /// If the size comes again, it must be the same (RFC 9110, section 8.6).
    mutating func contentLength(_ value: String) {
        for length in value.split(separator: ",", omittingEmptySubsequences: false) {
            let digits = length.drop { $0 == " " }
            let number = digits.utf8.allSatisfy(\.isDigit) ? Int(digits) : nil
            if number == nil || (contentLength ?? number) != number { isBroken = true }
            contentLength = contentLength ?? number
        }
    }

    // MARK: Trailers

    /// Whether headers may be trailers: without pseudo-headers and connection-specific headers.
    package static func areTrailers(_ headers: HPACKHeaders) -> Bool {
        var check = HeaderCheck()
        for (name, value, _) in headers {
            check.header(value)
            // A colon is invalid in a name.
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
        // Iterating over the view itself takes ten times as long.
        utf8.withContiguousStorageIfAvailable { $0.contains(where: isFound) } ?? utf8.contains(where: isFound)
    }
}

extension UInt8 {
    fileprivate var isWhiteSpace: Bool { self == 0x20 || self == 0x09 }

    /// The bytes of a token (RFC 9110, section 5.6.2), without capital letters.
    fileprivate var isOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
        case UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
