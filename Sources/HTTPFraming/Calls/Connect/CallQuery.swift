internal import MarvelDomain
internal import NIOCore
internal import RPCCore

/// The query of a GET of a method without side effects (connectrpc.com/docs/protocol, "Unary-Get-Request").
struct CallQuery {
    private(set) var codec = CallFormat.MessageCodec.json
    private(set) var compression: String?
    private(set) var message = ByteBuffer()
    private(set) var fault: RPCError?

    private enum Parameter: String {
        case connect
        case base64
        case compression
        case encoding
        case message
    }

    /// - Parameter target: The target of the request: the path and, after a question mark, the query.
    init(_ target: String) {
        do throws(RPCError) {
            try read(target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
        } catch {
            fault = error
        }
    }

    private mutating func read(_ query: Substring.UTF8View) throws(RPCError) {
        var values: [Parameter: [UInt8]] = [:]
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            // Other parameters have no effect.
            guard let parameter = Self.decoded(name).flatMap({ Parameter(rawValue: Self.text($0)) }) else { continue }
            guard values[parameter] == nil else { throw .query("\(parameter) occurs twice") }
            guard let value = Self.decoded(pair.dropFirst(name.count + 1)) else {
                throw .query("\(parameter) has a malformed percent escape")
            }
            values[parameter] = value
        }
        if let version = values[.connect], Self.text(version) != "v1" {
            throw .query("unsupported Connect version: use connect=v1")
        }
        compression = values[.compression].map(Self.text)
        try read(encoding: values[.encoding].map(Self.text))
        guard let bytes = values[.message] else { throw .query("the parameter message is missing") }
        message = try Self.message(bytes, isBase64: values[.base64].map(Self.text) == "1")
    }

    private mutating func read(encoding: String?) throws(RPCError) {
        switch encoding {
        case "json": codec = .json
        case "proto": codec = .proto
        case nil: throw .query("the parameter encoding is missing")
        default:
            throw RPCError(
                .unimplemented,
                reason: .codecUnsupported,
                "unsupported encoding: use json or proto"
            )
        }
    }

    private static func message(_ bytes: [UInt8], isBase64: Bool) throws(RPCError) -> ByteBuffer {
        guard isBase64 else {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw .query("message is not valid UTF-8: send other bytes in base64, with base64=1")
            }
            return ByteBuffer(bytes: bytes)
        }
        guard let decoded = Base64.decode(text(bytes)) else { throw .query("message is not valid base64") }
        return ByteBuffer(bytes: decoded)
    }

    /// Only ASCII is compared: the comparison of combining marks takes quadratic time.
    private static func text(_ bytes: [UInt8]) -> String {
        bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : "\u{FFFD}"
    }

    /// The bytes of a name or value, encoded as in forms; nil if an escape is malformed.
    private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
        var (bytes, rest) = ([UInt8](), text[...])
        bytes.reserveCapacity(text.count)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(nibble), let low = rest.popFirst().flatMap(nibble) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init)
    }
}

extension RPCError {
    fileprivate static func query(_ problem: String) -> RPCError {
        RPCError(.invalidArgument, reason: .requestMalformed, "the query is malformed: \(problem)")
    }
}
