import Foundation
import HTTPFraming
import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import RPCCore

@testable import RPCServer

/// A client that sends the frames that a test asks for, and shows those that arrive.
struct HTTP2Peer: TestPeer {
    typealias Frames = NIOAsyncChannelInboundStream<HTTP2Frame>.AsyncIterator

    private let outbound: NIOAsyncChannelOutboundWriter<HTTP2Frame>
    private var frames: Frames
    private var nextID = 1
    /// Whether it gives back what it receives, so that the connection's window stays as it is.
    var givesBackWindows = true
    /// The frames that arrived while others were waited for.
    private var kept: [HTTP2StreamID: [HTTP2Frame.FramePayload]] = [:]
    /// The frames of the connection itself that have arrived.
    private(set) var connectionFrames: [HTTP2Frame.FramePayload] = []

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

    static let usualSettings: HTTP2Settings = .window(1 << 24)

    static func connected(
        to server: RPCServer,
        settings: HTTP2Settings,
        _ body: (inout HTTP2Peer) async throws -> Void
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(to: try server.addresses[0].socketAddress()) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let http = NIOHTTP2Handler(mode: .client, initialSettings: settings)
                    try channel.pipeline.syncOperations.addHandlers([http, StreamErrors()])
                    return try NIOAsyncChannel<HTTP2Frame, HTTP2Frame>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var peer = HTTP2Peer(outbound: outbound, frames: inbound.makeAsyncIterator())
            try await body(&peer)
        }
    }

    private init(outbound: NIOAsyncChannelOutboundWriter<HTTP2Frame>, frames: Frames) {
        self.outbound = outbound
        self.frames = frames
    }

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

    func send(_ payload: HTTP2Frame.FramePayload, on id: HTTP2StreamID = .rootStream) async throws {
        do {
            try await outbound.write(HTTP2Frame(streamID: id, payload: payload))
        } catch {
            // The server may have ended the stream meanwhile.
            if id == .rootStream { throw error }
        }
    }

    /// Begins a stream.
    mutating func begin(_ head: HPACKHeaders, isEnd: Bool = false) async throws -> HTTP2StreamID {
        let id = HTTP2StreamID(nextID)
        nextID += 2
        try await send(.headers(.init(headers: head, endStream: isEnd)), on: id)
        return id
    }

    func send(_ data: ByteBuffer, on id: HTTP2StreamID, isEnd: Bool = true) async throws {
        try await send(.data(.init(data: .byteBuffer(data), endStream: isEnd)), on: id)
    }

    /// Sends the rest of a stream in frames of a size, as far as the windows allow. What they do not is sent when they do.
    func send(_ data: ByteBuffer, on id: HTTP2StreamID, inFramesOf byteCount: Int) async throws {
        var (rest, frames) = (data, [HTTP2Frame]())
        while let part = rest.readSlice(length: min(byteCount, rest.readableBytes)), part.readableBytes > 0 {
            let isEnd = rest.readableBytes == 0
            frames.append(HTTP2Frame(streamID: id, payload: .data(.init(data: .byteBuffer(part), endStream: isEnd))))
        }
        try await outbound.write(contentsOf: frames)
    }

    /// Begins a call and sends its only message.
    mutating func start(
        _ method: String,
        _ message: [UInt8] = [],
        _ changes: [(String, String)] = []
    ) async throws -> HTTP2StreamID {
        let id = HTTP2StreamID(nextID)
        nextID += 2
        // Together: the head alone may be answered, and the stream closed.
        try await outbound.write(contentsOf: [
            HTTP2Frame(streamID: id, payload: .headers(.init(headers: Self.head(method, changes)))),
            HTTP2Frame(streamID: id, payload: .data(.init(data: .byteBuffer(Self.prefixed(message)), endStream: true))),
        ])
        return id
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
    mutating func nextFrame(on id: HTTP2StreamID) async throws -> HTTP2Frame.FramePayload? {
        while kept[id]?.first == nil {
            guard try await receive() != nil else { return nil }
        }
        return kept[id]?.removeFirst()
    }

    /// Receives a frame and keeps it.
    private mutating func receive() async throws -> HTTP2Frame? {
        guard let frame = try await frames.next(isolation: #isolation) else { return nil }
        if case .data(let data) = frame.payload, givesBackWindows, data.data.readableBytes > 0 {
            // The server may have closed the connection behind this frame.
            try? await send(.windowUpdate(windowSizeIncrement: data.data.readableBytes))
        }
        if frame.streamID == .rootStream {
            connectionFrames.append(frame.payload)
        } else {
            kept[frame.streamID, default: []].append(frame.payload)
        }
        return frame
    }

    /// Waits for the end of a call.
    mutating func answer(on id: HTTP2StreamID, to answer: Answer = Answer()) async throws -> Answer {
        var answer = answer
        while let frame = try await nextFrame(on: id) {
            if answer.take(frame) { return answer }
        }
        return answer
    }

    /// Waits until the server closes the connection.
    mutating func untilClosed() async throws {
        while try await receive() != nil {}
    }

    /// Receives bytes of a stream's answer, up to a number of them.
    mutating func receive(_ byteCount: Int, on id: HTTP2StreamID, to answer: Answer = Answer()) async throws -> Answer {
        var answer = answer
        while answer.data.readableBytes < byteCount, let frame = try await nextFrame(on: id) {
            if answer.take(frame) { break }
        }
        return answer
    }

    /// The GOAWAY frames that have arrived.
    var goAways: [RawHTTP2Peer.GoAway] { connectionFrames.compactMap(\.goAway) }

    /// Waits for the GOAWAY that ends a drain.
    mutating func finalGoAway() async throws -> RawHTTP2Peer.GoAway? {
        let last = UInt32(Int32.max)
        return try await connectionFrame { $0.goAway.map { $0.lastStream != last } ?? false }?.goAway
    }

    /// Waits for a frame of the connection; nil if the connection has ended.
    mutating func connectionFrame(
        where isWanted: (HTTP2Frame.FramePayload) -> Bool
    ) async throws -> HTTP2Frame.FramePayload? {
        while let frame = try await receive() {
            if frame.streamID == .rootStream, isWanted(frame.payload) { return frame.payload }
        }
        return nil
    }
}

extension HTTP2Frame.FramePayload {
    var goAway: RawHTTP2Peer.GoAway? {
        guard case .goAway(let last, let code, let text) = self else { return nil }
        return .init(lastStream: UInt32(Int(last)), code: code, text: text.map(String.init(buffer:)) ?? "")
    }
}

extension HTTP2Peer.Answer {
    /// Takes a frame.
    ///
    /// - Returns: Whether it was the last.
    mutating func take(_ frame: HTTP2Frame.FramePayload) -> Bool {
        switch frame {
        case .headers(let headers):
            if head == nil { head = headers.headers } else { trailers = headers.headers }
            return headers.endStream
        case .data(let data):
            if case .byteBuffer(let bytes) = data.data { self.data.writeImmutableBuffer(bytes) }
            return data.endStream
        case .rstStream(let code):
            reset = code
            return true
        default:
            return false
        }
    }
}

extension ServerAddress {
    /// The address of a server's socket.
    func socketAddress() throws -> SocketAddress {
        switch self {
        case .tcp(let host, let port): try SocketAddress(ipAddress: host, port: port)
        case .unix(let path): try SocketAddress(unixDomainSocketPath: path)
        }
    }
}

/// Keeps the errors of single streams from ending the connection: a stream may end while a frame is sent on it.
private final class StreamErrors: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension HTTP2Settings {
    static func window(_ byteCount: Int) -> HTTP2Settings {
        [HTTP2Setting(parameter: .initialWindowSize, value: byteCount)]
    }
}
