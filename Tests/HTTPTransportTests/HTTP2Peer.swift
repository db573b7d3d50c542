import HTTPCalls
import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import RPCCore
import RPCTransport

@testable import HTTPTransport

/// A client that sends the frames that a test asks for, and shows those that arrive.
struct HTTP2Peer {
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

        var message: String? { (trailers ?? head)?.first(name: "grpc-message").map(GRPCStatusMessage.decoded) }
    }

    /// Connects to a server, and disconnects when `body` has returned.
    static func connected(
        to server: RPCServer,
        settings: HTTP2Settings = [HTTP2Setting(parameter: .initialWindowSize, value: 1 << 24)],
        _ body: (inout HTTP2Peer) async throws -> Void
    ) async throws {
        guard case .tcp(let host, let port) = server.addresses[0] else { throw StartupError(.configuration, "no TCP") }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: port) { channel in
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
        for change in changes {
            if let index = fields.firstIndex(where: { $0.0 == change.0 }) {
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
        if let first = kept[id]?.first {
            kept[id]?.removeFirst()
            return first
        }
        while let frame = try await frames.next(isolation: #isolation) {
            if case .data(let data) = frame.payload, givesBackWindows, data.data.readableBytes > 0 {
                try await send(.windowUpdate(windowSizeIncrement: data.data.readableBytes))
            }
            if frame.streamID == id { return frame.payload }
            if frame.streamID == .rootStream {
                connectionFrames.append(frame.payload)
            } else {
                kept[frame.streamID, default: []].append(frame.payload)
            }
        }
        return nil
    }

    /// Waits for the end of a call.
    mutating func answer(on id: HTTP2StreamID, to answer: Answer = Answer()) async throws -> Answer {
        var answer = answer
        while let frame = try await nextFrame(on: id) {
            if answer.take(frame) { return answer }
        }
        return answer
    }

    /// Waits until the server closes the connection, or the frame that is wanted has arrived.
    mutating func untilClosed() async throws {
        while let frame = try await frames.next(isolation: #isolation) {
            if frame.streamID == .rootStream { connectionFrames.append(frame.payload) }
        }
    }

    /// Waits for a frame of the connection.
    mutating func connectionFrame(
        where isWanted: (HTTP2Frame.FramePayload) -> Bool
    ) async throws -> HTTP2Frame.FramePayload? {
        while let frame = try await frames.next(isolation: #isolation) {
            if frame.streamID == .rootStream, isWanted(frame.payload) { return frame.payload }
        }
        return nil
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

/// Keeps the errors of single streams from ending the connection: a stream may end while a frame is sent on it.
private final class StreamErrors: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
