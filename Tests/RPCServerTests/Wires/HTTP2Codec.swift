import Foundation
import NIOCore
import NIOHPACK
import RPCCore
import WireMessages

/// A client of gRPC, or of Connect over HTTP/2. Its windows have room for all that the server sends, or those of streams for a
/// number of messages.
struct HTTP2Codec: WireCodec {
    typealias Frame = HTTP2Peer.Frame

    enum Form {
        case gRPC, proto, json
    }

    private struct Stream {
        let call: Int
        let isEnveloped: Bool
        var status: Int?
        var envelopes = Envelopes()
        var body = ByteBuffer()
    }

    let form: Form
    /// The maximum number of messages of 1,000 bytes on a stream; nil for no limit.
    let credit: Int?
    var replies = ByteBuffer()
    private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var streams: [UInt32: Stream] = [:]
    private var rules = HTTP2ClientRules()

    init(_ form: Form, credit: Int?) { (self.form, self.credit) = (form, credit) }

    private static func id(_ number: Int) -> UInt32 { UInt32(2 * number + 1) }

    private static func windowByteCount(_ messages: Int) -> UInt32 { UInt32(messages * 1_005) }

    var opening: ByteBuffer {
        var bytes = ByteBuffer(string: HTTP2Peer.preface)
        let window: UInt32 = credit.map(Self.windowByteCount) ?? 0x7FFF_FFFF
        bytes.writeImmutableBuffer(
            HTTP2Peer.bytes([.settings([(4 as UInt16, window)]), .windowUpdate(0x7FFE_FFFF)])
        )
        return bytes
    }

    // MARK: Calls

    mutating func encode(_ call: Call, number: Int) throws -> ByteBuffer {
        let isEnveloped = form == .gRPC || call.isStream
        let (type, timeout) =
            switch form {
            case .gRPC: ("application/grpc", ("grpc-timeout", "m"))
            case .proto, .json:
                (
                    "application/\(call.isStream ? "connect+" : "")\(form == .json ? "json" : "proto")",
                    ("connect-timeout-ms", "")
                )
            }
        var fields = [(":path", "/\(call.path)"), ("content-type", type)] + call.metadata
        if let value = call.timeout { fields.append((timeout.0, "\(value.milliseconds)\(timeout.1)")) }
        var block = ByteBuffer()
        try encoder.encode(headers: HTTP2Peer.head("", fields), to: &block)
        let id = Self.id(number)
        streams[id] = Stream(call: number, isEnveloped: isEnveloped)
        let head = Frame(type: 1, flags: Frame.endHeaders, stream: id, payload: block)
        let body = isEnveloped ? Envelopes.prefixed(call.request) : call.request
        return HTTP2Peer.bytes([head] + rules.frames(of: body, on: id))
    }

    func cancel(_ number: Int) -> ByteBuffer { HTTP2Peer.bytes([.reset(Self.id(number))]) }

    func grant(_ count: Int, to number: Int) -> ByteBuffer {
        HTTP2Peer.bytes([.windowUpdate(Self.windowByteCount(count), on: Self.id(number))])
    }

    // MARK: Answers

    mutating func decode(_ bytes: inout ByteBuffer, into parts: inout [AnswerPart]) throws {
        while let frame = Frame(readFrom: &bytes) {
            let replies = rules.replies(to: frame)
            if !replies.isEmpty { self.replies.writeImmutableBuffer(HTTP2Peer.bytes(replies)) }
            switch frame.type {
            case 0: try take(frame.payload, endStream: frame.isEndOfStream, on: frame.stream, into: &parts)
            case 1: try take(try headers(of: frame), endStream: frame.isEndOfStream, on: frame.stream, into: &parts)
            case 3: end(frame.stream, RPCError(.unavailable, "RST_STREAM \(frame.increment)"), into: &parts)
            case 7: parts.append(.goAway(frame.goAway?.text ?? ""))
            default: break
            }
        }
    }

    private mutating func headers(of frame: Frame) throws -> HPACKHeaders {
        var block = frame.payload
        return try decoder.decodeHeaders(from: &block)
    }

    private mutating func take(
        _ headers: HPACKHeaders,
        endStream: Bool,
        on id: UInt32,
        into parts: inout [AnswerPart]
    ) throws {
        guard let stream = streams[id] else { return }
        if stream.status == nil { streams[id]?.status = headers.first(name: ":status").flatMap(Int.init) }
        guard endStream else { return }
        if form == .gRPC {
            end(id, Self.status(in: headers), into: &parts)
        } else {
            try take(ByteBuffer(), endStream: true, on: id, into: &parts)
        }
    }

    private mutating func take(
        _ bytes: ByteBuffer,
        endStream: Bool,
        on id: UInt32,
        into parts: inout [AnswerPart]
    ) throws {
        guard var stream = streams.removeValue(forKey: id) else { return }
        defer { if !endStream { streams[id] = stream } }
        guard stream.status == 200, stream.isEnveloped else {
            stream.body.writeImmutableBuffer(bytes)
            guard endStream else { return }
            let status = stream.status ?? 0
            if status == 200 { parts.append(.message(call: stream.call, stream.body)) }
            let error = status == 200 ? nil : ConnectError.error(in: stream.body, status: status)
            return parts.append(.end(call: stream.call, error))
        }
        stream.envelopes.append(bytes)
        guard form == .gRPC else { return try stream.envelopes.takeConnect(of: stream.call, into: &parts) }
        while let (_, message) = stream.envelopes.next() { parts.append(.message(call: stream.call, message)) }
    }

    private mutating func end(_ id: UInt32, _ error: RPCError?, into parts: inout [AnswerPart]) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        parts.append(.end(call: stream.call, error))
    }

    /// The status of a call of gRPC; nil if it is OK.
    private static func status(in trailers: HPACKHeaders) -> RPCError? {
        let code = trailers.first(name: "grpc-status").flatMap(Int32.init).flatMap(StatusCode.init)
        guard code != .ok else { return nil }
        let message = trailers.first(name: "grpc-message")?.removingPercentEncoding ?? ""
        let text = trailers.first(name: "grpc-status-details-bin") ?? ""
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let status = Data(base64Encoded: text + padding).flatMap {
            try? RPCError(decodingStatus: ByteBuffer(bytes: $0), limit: .response)
        }
        return RPCError(code ?? .unknown, message, details: status?.details ?? [])
    }
}
