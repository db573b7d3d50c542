import Foundation
import HTTPFraming
import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore

@testable import RPCServer

/// A client of HTTP/2 that makes the calls that a test asks for, and shows the frames of their answers.
struct HTTP2Peer: TestPeer {
    typealias Frame = RawHTTP2Peer.Frame
    typealias Settings = RawHTTP2Peer.Settings

    private var raw: RawHTTP2Peer
    private var rules = HTTP2ClientRules()
    private var nextID: UInt32 = 1
    /// Whether it gives back what it receives, so that the connection's window stays as it is.
    var givesBackWindows = true
    /// The parts of answers that arrived while others were waited for.
    private var kept: [UInt32: [Part]] = [:]
    private(set) var goAways: [RawHTTP2Peer.GoAway] = []

    /// A frame of an answer.
    enum Part {
        case headers(HPACKHeaders, isEnd: Bool)
        case data(ByteBuffer, isEnd: Bool)
        case reset(HTTP2ErrorCode)
    }

    /// The answer to a call.
    struct Answer {
        var head: HPACKHeaders?
        var trailers: HPACKHeaders?
        var data = ByteBuffer()
        var reset: HTTP2ErrorCode?

        /// The messages, without their prefixes.
        var messages: [ByteBuffer] {
            var reader = EnvelopeReader(maximumByteCount: 1 << 20, acceptsCompressed: false)
            reader.append(data)
            var messages: [ByteBuffer] = []
            while let message = try? reader.next() { messages.append(message.bytes) }
            return messages
        }

        /// The status of the call; nil if there is none.
        var status: StatusCode? {
            let text = (trailers ?? head)?.first(name: "grpc-status")
            return text.flatMap(Int32.init).flatMap(StatusCode.init)
        }

        var message: String? { (trailers ?? head)?.first(name: "grpc-message")?.removingPercentEncoding }
    }

    static let usualSettings: Settings = .window(1 << 24)

    static func connected(
        to server: RPCServer,
        settings: Settings,
        _ body: (inout HTTP2Peer) async throws -> Void
    ) async throws {
        try await RawHTTP2Peer.connected(to: server, settings: settings) { raw in
            var peer = HTTP2Peer(raw: raw)
            try await body(&peer)
        }
    }

    private init(raw: RawHTTP2Peer) { self.raw = raw }

    // MARK: Sending

    static func head(_ method: String, _ changes: [(String, String)] = []) -> HPACKHeaders {
        var fields = [
            (":method", "POST"), (":scheme", "http"), (":path", "/test.v1.Test/\(method)"),
            (":authority", "localhost"), ("te", "trailers"), ("content-type", "application/grpc"),
        ]
        let usual = fields.indices
        for change in changes {
            if let index = usual.first(where: { fields[$0].0 == change.0 }) {
                fields[index] = change
            } else {
                fields.append(change)
            }
        }
        return HPACKHeaders(fields)
    }

    static func prefixed(_ message: [UInt8], flag: UInt8 = 0) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeMultipleIntegers(flag, UInt32(message.count))
        bytes.writeBytes(message)
        return bytes
    }

    /// Makes a request of the method `Count`.
    static func count(_ count: UInt16, size: UInt32) -> [UInt8] {
        var bytes = ByteBuffer()
        bytes.writeMultipleIntegers(count, size)
        return Array(bytes.readableBytesView)
    }

    /// Sends a frame. The server may have ended the stream, or closed the connection, meanwhile.
    func send(_ frame: Frame) async { await raw.send([frame]) }

    /// Begins a stream.
    mutating func begin(_ head: HPACKHeaders, isEnd: Bool = false) async throws -> UInt32 {
        defer { nextID += 2 }
        await send(try raw.frame(of: head, on: nextID, isEnd: isEnd))
        return nextID
    }

    /// Sends data of a stream in frames of a size, as far as the windows allow. What they do not is sent when they do.
    mutating func send(
        _ data: ByteBuffer,
        on id: UInt32,
        isEnd: Bool = true,
        inFramesOf byteCount: Int = 16_384
    ) async {
        await raw.send(rules.frames(of: data, on: id, isEnd: isEnd, inFramesOf: byteCount))
    }

    /// Ends a request with trailers.
    mutating func sendTrailers(on id: UInt32) async throws { await send(try raw.trailers(on: id)) }

    /// Begins a call and sends its only message.
    mutating func start(
        _ method: String,
        _ message: [UInt8] = [],
        _ changes: [(String, String)] = []
    ) async throws -> UInt32 {
        defer { nextID += 2 }
        let head = try raw.head(method, on: nextID, changes)
        // Together: the head alone may be answered, and the stream closed.
        await raw.send([head] + rules.frames(of: Self.prefixed(message), on: nextID))
        return nextID
    }

    mutating func call(
        _ method: String,
        _ message: [UInt8] = [],
        _ changes: [(String, String)] = []
    ) async throws -> Answer {
        try await answer(on: start(method, message, changes))
    }

    // MARK: Receiving

    /// Returns the next frame of a stream; nil if the connection has ended.
    mutating func nextFrame(on id: UInt32) async throws -> Part? {
        while kept[id]?.first == nil {
            guard try await receive() else { return nil }
        }
        return kept[id]?.removeFirst()
    }

    /// Receives a frame and keeps it; false if the connection has ended.
    private mutating func receive() async throws -> Bool {
        guard let frame = await raw.nextFrame() else { return false }
        var replies = rules.replies(to: frame)
        switch frame.type {
        case 0:
            let byteCount = UInt32(frame.payload.readableBytes)
            if givesBackWindows, byteCount > 0 { replies.append(.windowUpdate(byteCount)) }
            kept[frame.stream, default: []].append(.data(frame.payload, isEnd: frame.isEndOfStream))
        case 1:
            let headers = try raw.decoded(frame)
            kept[frame.stream, default: []].append(.headers(headers, isEnd: frame.isEndOfStream))
        case 3: kept[frame.stream, default: []].append(.reset(HTTP2ErrorCode(networkCode: frame.increment)))
        case 7: if let goAway = frame.goAway { goAways.append(goAway) }
        default: break
        }
        if !replies.isEmpty { await raw.send(replies) }
        return true
    }

    /// Waits for the end of a call.
    mutating func answer(on id: UInt32, to answer: Answer = Answer()) async throws -> Answer {
        var answer = answer
        while let frame = try await nextFrame(on: id) {
            if answer.take(frame) { return answer }
        }
        return answer
    }

    /// Waits until the server closes the connection.
    mutating func untilClosed() async throws {
        while try await receive() {}
    }

    /// Receives bytes of a stream's answer, up to a number of them.
    mutating func receive(_ byteCount: Int, on id: UInt32, to answer: Answer = Answer()) async throws -> Answer {
        var answer = answer
        while answer.data.readableBytes < byteCount, let frame = try await nextFrame(on: id) {
            if answer.take(frame) { break }
        }
        return answer
    }

    /// Waits for the GOAWAY that ends a drain.
    mutating func finalGoAway() async throws -> RawHTTP2Peer.GoAway? {
        while goAways.last.map({ $0.lastStream == UInt32(Int32.max) }) ?? true, try await receive() {}
        return goAways.last
    }
}

extension HTTP2Peer.Answer {
    /// Takes a frame.
    ///
    /// - Returns: Whether it was the last.
    mutating func take(_ part: HTTP2Peer.Part) -> Bool {
        switch part {
        case .headers(let headers, let isEnd):
            if head == nil { head = headers } else { trailers = headers }
            return isEnd
        case .data(let data, let isEnd):
            self.data.writeImmutableBuffer(data)
            return isEnd
        case .reset(let code):
            reset = code
            return true
        }
    }
}

extension [(UInt16, UInt32)] {
    /// The settings of a client with windows of a size for each stream.
    static func window(_ byteCount: Int) -> Self { [(4, UInt32(byteCount))] }
}
