import Foundation
import HTTPFraming
import NIOCore
import RPCCore
import WireMessages

@testable import RPCServer

/// A way to call a server. The contract tests run over all of them.
enum Wire: CaseIterable {
    /// The frames of ttrpc, without our extensions.
    case ttrpc
    case framed
    case connectHTTP1
    case jsonHTTP1
    case gRPC
    case connectHTTP2
    case jsonHTTP2
    /// A port that serves pages over HTTP/1.1, and no calls: that of operations, or a gateway.
    case pages

    /// Those of calls, with one encoding of messages.
    static let calls: [Wire] = [.ttrpc, .framed, .connectHTTP1, .gRPC, .connectHTTP2]
    static let all = calls + [.pages]
    /// One of each kind of connection.
    static let drivers: [Wire] = [.framed, .connectHTTP1, .gRPC]
    /// One of each port that has calls.
    static let ports: [Wire] = [.framed, .gRPC]
    /// Those that carry several calls at once.
    static let multiplexed: [Wire] = [.ttrpc, .framed, .gRPC, .connectHTTP2]
    /// Those with messages from the client about a single call: it can be cancelled, and waits for credit.
    static let controlled: [Wire] = [.framed, .gRPC, .connectHTTP2]
    /// Those of them on which the end of a stream needs no room. By Connect it is a message.
    static let endingWithoutRoom: [Wire] = [.framed, .gRPC]

    /// Whether a client that has closed its side still gets the answers to its calls.
    var answersAfterHalfClose: Bool { [.ttrpc, .framed, .pages].contains(self) }
    /// The reason that a client is given when the server stops; nil if its wire has no message for it.
    var drainReason: String? {
        switch self {
        case .ttrpc: nil
        case .framed: "DRAINING"
        case .connectHTTP1, .jsonHTTP1, .pages: "close"
        case .gRPC, .connectHTTP2, .jsonHTTP2: ""
        }
    }
    var isJSON: Bool { self == .jsonHTTP1 || self == .jsonHTTP2 }

    func serverWire(_ methods: TestMethods) -> ServerWire {
        switch self {
        case .ttrpc, .framed: .framed
        case .pages: .pages("pages", methods.page)
        default: .http
        }
    }

    func codec(credit: Int?) -> any WireCodec {
        switch self {
        case .ttrpc: FramedCodec(hello: nil)
        case .framed: FramedCodec(hello: UInt32(credit ?? 0))
        case .connectHTTP1: HTTP1Codec(.proto)
        case .jsonHTTP1: HTTP1Codec(.json)
        case .pages: HTTP1Codec(.page)
        case .gRPC: HTTP2Codec(.gRPC, credit: credit)
        case .connectHTTP2: HTTP2Codec(.proto, credit: credit)
        case .jsonHTTP2: HTTP2Codec(.json, credit: credit)
        }
    }
}

/// A call of a method.
struct Call {
    var path: MethodPath
    var request: ByteBuffer
    var isStream: Bool
    var timeout: Duration?
    var metadata: [(String, String)] = []

    init(_ path: MethodPath, _ request: ByteBuffer, isStream: Bool) {
        (self.path, self.request, self.isStream) = (path, request, isStream)
    }

    /// A call of a method of `TestMethods`.
    init(
        _ method: String,
        _ request: ByteBuffer = ByteBuffer(),
        timeout: Duration? = nil,
        _ metadata: [(String, String)] = []
    ) {
        let isStream = TestMethods.streams.contains(method)
        self.init(TestMethods.path(method), request, isStream: isStream)
        (self.timeout, self.metadata) = (timeout, metadata)
    }

    init(_ method: String, _ metadata: [(String, String)]) { self.init(method, ByteBuffer(), timeout: nil, metadata) }

    /// A call of a method that waits, and then answers with its request.
    static let hold = Call("Hold", ByteBuffer(string: "late"))

    /// A call that is answered with some messages of a size.
    static func count(_ count: Int, size: Int = 1_000, method: String = "Count") -> Call {
        Call(method, ByteBuffer(bytes: HTTP2Peer.count(UInt16(count), size: UInt32(size))))
    }

    /// A call that is answered with messages until nobody takes them.
    static let endless = Call.count(0xFFFF, size: 4_096)

    /// A call that is answered with one message of a size.
    static func sized(_ byteCount: Int) -> Call { Call("Sized", ByteBuffer(integer: UInt32(byteCount))) }
}

/// The answer to a call, as far as it has arrived.
struct Answer: Equatable {
    var messages: [ByteBuffer] = []
    var error: RPCError?
    /// Whether all of it has arrived. An answer without an end was cut off by the end of the connection.
    var isEnded = false

    var byteCounts: [Int] { messages.map(\.readableBytes) }

    init() {}

    /// A whole answer of some messages.
    init(_ messages: [ByteBuffer]) { (self.messages, isEnded) = (messages, true) }

    /// Whether it is whole, and has these messages.
    func isMessage(_ text: String) -> Bool { isEnded && error == nil && messages == [ByteBuffer(string: text)] }
}

/// A part of what a server sends. Calls are numbered from 0 in the order in which they were made.
enum AnswerPart {
    case message(call: Int, ByteBuffer)
    case end(call: Int, RPCError?)
    /// The server takes no more calls, for a reason.
    case goAway(String)
}

/// The client's side of a wire: the bytes of calls, and the answers in bytes.
protocol WireCodec {
    /// The bytes that a client sends at the beginning of a connection.
    var opening: ByteBuffer { get }
    /// The bytes that answer those of the server, or that the server has made room for.
    var replies: ByteBuffer { get set }

    /// Encodes a call, as far as the server takes it at once.
    mutating func encode(_ call: Call, number: Int) throws -> ByteBuffer
    /// Encodes the end of a call, which its client does not want any more.
    func cancel(_ number: Int) -> ByteBuffer
    /// Encodes the permission to send more messages of 1,000 bytes.
    func grant(_ count: Int, to number: Int) -> ByteBuffer
    /// Decodes what has arrived.
    mutating func decode(_ bytes: inout ByteBuffer, into parts: inout [AnswerPart]) throws
}

extension WireCodec {
    var opening: ByteBuffer { ByteBuffer() }

    func cancel(_ number: Int) -> ByteBuffer { preconditionFailure("this wire has no message that cancels a call") }

    func grant(_ count: Int, to number: Int) -> ByteBuffer { preconditionFailure("this wire has no credit") }
}

/// Messages with the prefix of gRPC and Connect, of which a part may have arrived.
struct Envelopes {
    private var bytes = ByteBuffer()

    mutating func append(_ more: ByteBuffer) {
        bytes.discardReadBytes()
        bytes.writeImmutableBuffer(more)
    }

    /// Takes the next message. It is a copy: a slice would keep all the bytes that have arrived so far.
    mutating func next() -> (flags: UInt8, message: ByteBuffer)? {
        guard let length: UInt32 = bytes.getInteger(at: bytes.readerIndex + 1),
            bytes.readableBytes >= 5 + Int(length), let flags: UInt8 = bytes.readInteger()
        else { return nil }
        bytes.moveReaderIndex(forwardBy: 4)
        return bytes.readBytes(length: Int(length)).map { (flags, ByteBuffer(bytes: $0)) }
    }

    static func prefixed(_ message: ByteBuffer, flags: UInt8 = 0) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeMultipleIntegers(flags, UInt32(message.readableBytes))
        bytes.writeImmutableBuffer(message)
        return bytes
    }

    /// Takes the messages of a stream of Connect that are complete.
    mutating func takeConnect(of call: Int, into parts: inout [AnswerPart]) throws {
        while let (flags, message) = next() {
            guard flags & 2 != 0 else {
                parts.append(.message(call: call, message))
                continue
            }
            let error = try JSONDecoder().decode(ConnectEnd.self, from: Data(message.readableBytesView)).error
            parts.append(.end(call: call, error?.error))
        }
    }
}

/// The last message of a stream of Connect.
private struct ConnectEnd: Decodable { var error: ConnectError? }

/// The error of a call by Connect.
struct ConnectError: Decodable {
    struct Detail: Decodable {
        struct Debug: Decodable {
            var reason: String?
            var metadata: [String: String]?
        }

        var debug: Debug?
    }

    var code: String
    var message: String?
    var details: [Detail]?

    var error: RPCError {
        let code = StatusCode.allCases.first { $0.jsonName == self.code } ?? .unknown
        let debug = details?.first?.debug
        guard let reason = debug?.reason else { return RPCError(code, message ?? "") }
        return RPCError(code, reason: ErrorReason(rawValue: reason), message ?? "", metadata: debug?.metadata ?? [:])
    }

    /// Returns the error in the body of an answer that is not 200.
    static func error(in body: ByteBuffer, status: Int) -> RPCError {
        if let error = try? JSONDecoder().decode(ConnectError.self, from: Data(body.readableBytesView)) {
            return error.error
        }
        let codes: [Int: StatusCode] = [401: .unauthenticated, 404: .unimplemented, 503: .unavailable]
        return RPCError(codes[status] ?? .unknown, "status \(status): \(String(buffer: body))")
    }
}
