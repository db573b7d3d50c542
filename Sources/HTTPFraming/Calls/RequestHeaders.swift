internal import NIOHPACK
internal import RPCCore

/// The headers of a request that a call uses. The others are its metadata.
struct RequestHeaders {
    var method = ""
    /// The path as sent, with the query, if any.
    var target = ""
    var authority: String?
    /// The form of the call by the content type; nil for other content types.
    var format: CallFormat?
    var grpcTimeout: String?
    var grpcEncoding: String?
    var grpcAcceptEncoding: String?
    var connectTimeout: String?
    var connectVersion: String?
    var connectEncoding: String?
    var connectAcceptEncoding: String?
    var contentEncoding: String?
    var acceptEncoding: String?
    var ifNoneMatch: String?
    var expectation: String?
    /// Several are joined to a text that no page has as its origin.
    var origin: String?
    var fetch = FetchHeaders()
    var metadata = Metadata()
    /// The check of the headers by the rules of HTTP/2. The parser of HTTP/1.1 has its own rules.
    private(set) var check = HeaderCheck()
    private(set) var pairCount = 0
    private(set) var byteCount = 0

    init(_ headers: HPACKHeaders) {
        for (name, value, _) in headers { add(name, value) }
    }

    private mutating func add(_ name: String, _ value: String) {
        if name.utf8.first == UInt8(ascii: ":") { return addPseudoHeader(name, value) }
        check.header(value)
        switch name {
        case "content-type": format = CallFormat(contentType: value)
        case "te": check.te(value)
        case "user-agent": break
        case "content-length": check.contentLength(value)
        case "grpc-timeout": grpcTimeout = value
        case "grpc-encoding": grpcEncoding = value
        case "grpc-accept-encoding": grpcAcceptEncoding = value
        case "accept-encoding": acceptEncoding = value
        default: addOther(name, value)
        }
    }

    private mutating func addPseudoHeader(_ name: String, _ value: String) {
        switch name {
        case ":method":
            method = value
            check.pseudoHeader(.method, value)
        case ":scheme": check.pseudoHeader(.scheme, value)
        case ":path":
            target = value
            check.pseudoHeader(.path, value)
        case ":authority":
            authority = value
            check.pseudoHeader(.authority, value)
        default: check.forbidden()
        }
    }

    private mutating func addOther(_ name: String, _ value: String) {
        switch name {
        case "host":
            check.host(value, authority: authority)
            authority = authority ?? value
        case "content-encoding": contentEncoding = value
        case "connect-timeout-ms": connectTimeout = value
        case "connect-protocol-version": connectVersion = value
        case "connect-content-encoding": connectEncoding = value
        case "connect-accept-encoding": connectAcceptEncoding = value
        // A list may be on several lines (RFC 9110, section 5.3).
        case "if-none-match": ifNoneMatch = ifNoneMatch.map { "\($0),\(value)" } ?? value
        case "expect": expectation = value
        case "origin": origin = origin.map { "\($0), \(value)" } ?? value
        case "sec-fetch-site": fetch.site = value
        case "sec-fetch-mode": fetch.mode = value
        case "sec-fetch-dest": fetch.destination = value
        case "sec-purpose": fetch.purpose = value
        case "accept": break
        default: if HeaderCheck.isOfConnection(name) { check.forbidden() } else { addMetadata(name, value) }
        }
    }

    private mutating func addMetadata(_ name: String, _ value: String) {
        check.otherName(name)
        guard !name.hasPrefix("grpc-"), !name.hasPrefix("connect-") else { return }
        pairCount += 1
        byteCount += name.utf8.count + value.utf8.count
        if areInLimits { metadata.append(name, value) }
    }

    var path: String { String(target.prefix { $0 != "?" }) }

    var areInLimits: Bool { pairCount <= Metadata.maximumPairs && byteCount <= Metadata.maximumBytes }
}
