internal import MarvelDomain
package import NIOHPACK
package import RPCCore
internal import WireMessages

/// The head of a call, from the headers of its request (grpc/doc/PROTOCOL-HTTP2.md, "Requests";
/// connectrpc.com/docs/protocol, "Request-Headers").
package struct CallHead: Sendable {
    package let format: CallFormat
    /// It names the method.
    package let path: String
    package let metadata: Metadata
    /// In the form of `CallDeadline`; 0 without a timeout.
    package let timeoutNanoseconds: Int64
    package let contentLength: Int?
    /// Whether messages, or the body, may be compressed with gzip.
    package let isGzip: Bool
    private let acceptEncoding: String?
    let origin: OriginHeaders
    /// The GET of the call; nil for a POST.
    let read: ReadRequest?
    /// The answer to the call, because a header is malformed or over a limit.
    package let fault: RPCError?

    init(
        _ request: RequestHeaders,
        _ format: CallFormat,
        origin: OriginHeaders = .none,
        read: ReadRequest? = nil,
        fault: RPCError? = nil
    ) {
        self.format = format
        self.origin = origin
        self.read = read
        path =
            switch format {
            // gRPC's paths have no query.
            case .grpc: request.target
            case .connect, .connectStream: request.path
            case .picture: PictureRequest.path
            }
        contentLength = request.check.contentLength
        metadata = request.metadata
        let timeout = format == .grpc ? request.grpcTimeout : request.connectTimeout
        let nanoseconds = timeout.map(format == .grpc ? GRPCTimeout.nanoseconds : ConnectTimeout.nanoseconds)
        timeoutNanoseconds = (nanoseconds ?? 0) ?? 0
        let encoding: String?
        (encoding, acceptEncoding) =
            switch format {
            case .grpc: (request.grpcEncoding, request.grpcAcceptEncoding)
            case .connectStream: (request.connectEncoding, request.connectAcceptEncoding)
            case .connect, .picture: (read.map(\.compression) ?? request.contentEncoding, request.acceptEncoding)
            }
        let isCompressed = CallHead.isGzip(encoding)
        isGzip = isCompressed ?? false
        self.fault = fault ?? CallHead.fault(request, format, timeout: nanoseconds, isCompressed: isCompressed)
    }

    /// The head of a GET: of a picture, or of a method whose message is in the query.
    init(_ request: RequestHeaders, _ picture: PictureRequest?, origin: OriginHeaders) {
        if let picture {
            self.init(request, .picture, origin: origin, read: ReadRequest(request, picture.message))
        } else {
            let query = CallQuery(request.target)
            let read = ReadRequest(request, query.message, compression: query.compression)
            self.init(request, .connect(query.codec), origin: origin, read: read, fault: query.fault)
        }
    }

    /// Whether only the headers of the answer are wanted, which are those of the answer to GET.
    package var isHead: Bool { read?.isHead == true }

    /// Whether the caller takes answers compressed with gzip. Not stored: few servers compress, and reading it takes as
    /// long as reading all other headers.
    package var acceptsGzip: Bool { Gzip.isAccepted(by: acceptEncoding) }

    private static func fault(
        _ request: RequestHeaders,
        _ format: CallFormat,
        timeout: Int64??,
        isCompressed: Bool?
    ) -> RPCError? {
        guard request.areInLimits else {
            return RPCError(undecodable: .metadataTooLarge(pairs: request.pairCount, bytes: request.byteCount))
        }
        if case .some(nil) = timeout {
            return format.malformed(
                format == .grpc
                    ? "grpc-timeout is malformed: at most eight digits and one of HMSmun"
                    : "Connect-Timeout-Ms is malformed: at most ten digits"
            )
        }
        if format != .grpc, let version = request.connectVersion, version != "1" {
            return format.malformed("Connect-Protocol-Version is not 1")
        }
        guard isCompressed == nil else { return nil }
        return RPCError(
            .unimplemented,
            reason: .encodingUnsupported,
            "unsupported request encoding: use gzip or identity"
        )
    }

    /// Whether an encoding of a request's messages, or of its body, is gzip (RFC 9110, section 8.4.1). The case of the
    /// value has no meaning. Nil if it is not supported.
    private static func isGzip(_ encoding: String?) -> Bool? {
        switch encoding?.lowercased() {
        case nil, "identity", "": false
        case "gzip", "x-gzip": true
        default: nil
        }
    }
}

extension MethodPath {
    /// Reads the path of a request: `/service/method`. Nil if it has another form.
    package init?(httpPath: String) {
        // Iterating over bytes: over characters it takes ten times as long.
        let slash = UInt8(ascii: "/")
        let names = httpPath.utf8.dropFirst()
        guard httpPath.utf8.first == slash, let end = names.firstIndex(of: slash) else { return nil }
        let (service, method) = (names[..<end], names[names.index(after: end)...])
        guard !service.isEmpty, !method.isEmpty, !method.contains(slash) else { return nil }
        self.init(service: String(Substring(service)), method: String(Substring(method)))
    }
}

/// The form of calls over HTTP, named by their content type.
package enum CallFormat: Sendable, Hashable {
    /// gRPC: messages with a prefix, the status in the trailers.
    case grpc
    /// Connect's unary calls: the body is one message, and an error is an HTTP status with a body in JSON.
    case connect(MessageCodec)
    /// Connect's streams: messages with a prefix, the last of which has the status.
    case connectStream(MessageCodec)
    case picture

    package enum MessageCodec: Sendable, Hashable {
        case proto
        case json
    }

    /// Ignores the parameters of the content type. Nil for other content types than those of calls.
    package init?(contentType: String) {
        // The hot path: nearly all gRPC clients send this.
        if contentType == "application/grpc" {
            self = .grpc
            return
        }
        switch contentType.prefix(while: { $0 != ";" && $0 != " " }).lowercased() {
        case "application/grpc", "application/grpc+proto": self = .grpc
        case "application/proto": self = .connect(.proto)
        case "application/json": self = .connect(.json)
        case "application/connect+proto": self = .connectStream(.proto)
        case "application/connect+json": self = .connectStream(.json)
        default: return nil
        }
    }

    static let contentTypes =
        "application/grpc, application/grpc+proto, application/json, application/proto, application/connect+json, "
        + "application/connect+proto"

    var contentType: String {
        switch self {
        case .grpc: "application/grpc"
        case .connect(.proto): "application/proto"
        case .connect(.json): "application/json"
        case .connectStream(.proto): "application/connect+proto"
        case .connectStream(.json): "application/connect+json"
        case .picture: "application/octet-stream"
        }
    }

    package var codec: MessageCodec {
        switch self {
        case .grpc, .picture: .proto
        case .connect(let codec), .connectStream(let codec): codec
        }
    }

    package var takesStream: Bool {
        switch self {
        case .grpc, .connectStream: true
        case .connect, .picture: false
        }
    }
}

/// The `grpc-timeout` header: at most eight digits and a unit (grpc/doc/PROTOCOL-HTTP2.md, "Timeout").
package enum GRPCTimeout {
    private static let maximumDigits = 8

    /// The nanoseconds of a header's value, in the form of `CallDeadline`. Nil if the value is malformed, negative if
    /// the caller had no time left. It is the largest number, which is no limit, if the time is beyond the clock's
    /// range.
    package static func nanoseconds(_ text: String) -> Int64? {
        guard let unit = text.utf8.last, let factor = nanoseconds(perUnit: unit) else { return nil }
        let digits = text.utf8.dropLast()
        guard (1...maximumDigits).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        guard number > 0 else { return -1 }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }

    private static func nanoseconds(perUnit unit: UInt8) -> Int64? {
        switch unit {
        case UInt8(ascii: "H"): 3_600_000_000_000
        case UInt8(ascii: "M"): 60_000_000_000
        case UInt8(ascii: "S"): 1_000_000_000
        case UInt8(ascii: "m"): 1_000_000
        case UInt8(ascii: "u"): 1_000
        case UInt8(ascii: "n"): 1
        default: nil
        }
    }
}

/// The `Connect-Timeout-Ms` header: at most ten digits (connectrpc.com/docs/protocol, "Timeout").
package enum ConnectTimeout {
    private static let maximumDigits = 10

    /// The nanoseconds of a header's value, in the form of `CallDeadline`. Nil if the value is malformed, negative if
    /// the caller had no time left.
    package static func nanoseconds(_ text: String) -> Int64? {
        guard (1...maximumDigits).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit),
            let milliseconds = Int64(text)
        else { return nil }
        return milliseconds == 0 ? -1 : milliseconds * 1_000_000
    }
}

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
        // The parser of HTTP/1.1 has refused such a value.
        guard !value.hasByte(where: { $0 >= 0x80 }) || value.hasShortMarkRuns else { return check.forbidden() }
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

    /// A header of the connection, an unknown pseudo-header, or a value that takes too long to compare.
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
