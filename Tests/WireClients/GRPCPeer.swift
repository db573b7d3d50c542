import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import RPCCore
import WireMessages

/// The connection of a gRPC client to one server. It is opened with a call, and again if it has ended.
actor GRPCPeer {
    private struct Connection: Sendable {
        let channel: any Channel
        let streams: NIOHTTP2Handler.StreamMultiplexer
    }

    private let address: ServerAddress
    private var current: Task<Connection, any Error>?

    init(_ address: ServerAddress) { self.address = address }

    /// Begins a call. Its frames are read when the channel is told to read.
    func open(_ head: HPACKHeaders, _ body: ByteBuffer) async throws -> (any Channel, AsyncStream<GRPCFrame>) {
        let connection = try await connection()
        let (frames, continuation) = AsyncStream.makeStream(of: GRPCFrame.self)
        let opened = connection.channel.eventLoop.makePromise(of: (any Channel).self)
        connection.streams.createStreamChannel(promise: opened) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.syncOptions?.setOption(.autoRead, value: false)
                try channel.pipeline.syncOperations.addHandler(GRPCStreamHandler(continuation))
            }
        }
        let channel = try await opened.futureResult.get()
        channel.write(HTTP2Frame.FramePayload.headers(.init(headers: head)), promise: nil)
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(body), endStream: true)
        channel.writeAndFlush(HTTP2Frame.FramePayload.data(data), promise: nil)
        return (channel, frames)
    }

    func disconnect() async {
        guard let connection = try? await current?.value else { return }
        try? await connection.channel.close()
    }

    private func connection() async throws -> Connection {
        while true {
            let task = current ?? Task { [address] in try await Self.connect(to: address) }
            current = task
            do {
                let connection = try await task.value
                if connection.channel.isActive { return connection }
            } catch {
                if current == task { current = nil }
                throw error
            }
            if current == task { current = nil }
        }
    }

    private static func connect(to address: ServerAddress) async throws -> Connection {
        let socket =
            switch address {
            case .tcp(let host, let port): try SocketAddress(ipAddress: host, port: port)
            case .unix(let path): try SocketAddress(unixDomainSocketPath: path)
            }
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(to: socket) { channel in
            channel.eventLoop.makeCompletedFuture {
                let streams = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                    mode: .client,
                    connectionConfiguration: .init(),
                    streamConfiguration: .init()
                ) { $0.close() }
                return Connection(channel: channel, streams: streams)
            }
        }
    }
}

/// A frame of an answer.
enum GRPCFrame: Sendable {
    case headers(HPACKHeaders, endStream: Bool)
    case data(ByteBuffer, endStream: Bool)
    case reset(HTTP2ErrorCode)
}

private final class GRPCStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload

    private let frames: AsyncStream<GRPCFrame>.Continuation

    init(_ frames: AsyncStream<GRPCFrame>.Continuation) { self.frames = frames }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers): frames.yield(.headers(headers.headers, endStream: headers.endStream))
        case .data(let data):
            guard case .byteBuffer(let bytes) = data.data else { return }
            frames.yield(.data(bytes, endStream: data.endStream))
        case .rstStream(let code): frames.yield(.reset(code))
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOHTTP2Errors.StreamClosed { frames.yield(.reset(error.errorCode)) }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { frames.finish() }
}

/// One call, and its answer. Releasing it cancels the call.
final class GRPCCall {
    private let channel: any Channel
    private var frames: AsyncStream<GRPCFrame>.Iterator
    private var bytes = ByteBuffer()
    private var end: Result<Void, RPCError>?

    init(
        _ peer: GRPCPeer,
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata
    ) async throws(RPCError) {
        guard !Task.isCancelled else { throw RPCError(.cancelled, "the task was cancelled") }
        var head: HPACKHeaders = [
            ":method": "POST", ":scheme": "http", ":path": "/\(method)", ":authority": "localhost", "te": "trailers",
            "content-type": "application/grpc",
        ]
        if let timeout { head.add(name: "grpc-timeout", value: "\(timeout.components.seconds)S") }
        for pair in metadata.pairs { head.add(name: pair.key, value: pair.value) }
        var body = ByteBuffer()
        body.writeMultipleIntegers(0 as UInt8, UInt32(request.readableBytes))
        body.writeImmutableBuffer(request)
        do {
            let (channel, frames) = try await peer.open(head, body)
            self.channel = channel
            self.frames = frames.makeAsyncIterator()
        } catch {
            throw RPCError(.unavailable, "\(error)")
        }
    }

    deinit { channel.close(promise: nil) }

    /// Returns the next message; nil at the end of the answer.
    func next() async throws(RPCError) -> ByteBuffer? {
        while true {
            if let message = readMessage() { return message }
            if let end {
                try end.get()
                return nil
            }
            channel.read()
            guard let frame = await frames.next(isolation: #isolation) else {
                channel.close(promise: nil)
                end = .failure(RPCError(Task.isCancelled ? .cancelled : .unavailable, "the call was ended"))
                continue
            }
            take(frame)
        }
    }

    private func readMessage() -> ByteBuffer? {
        guard let length: UInt32 = bytes.getInteger(at: bytes.readerIndex + 1),
            bytes.readableBytes >= 5 + Int(length)
        else { return nil }
        bytes.moveReaderIndex(forwardBy: 5)
        return bytes.readSlice(length: Int(length))
    }

    private func take(_ frame: GRPCFrame) {
        switch frame {
        case .headers(let headers, true): end = Self.status(in: headers)
        case .headers: break
        case .data(let data, let endStream):
            bytes.writeImmutableBuffer(data)
            if endStream { end = .failure(RPCError(.internalError, "the answer has no status")) }
        case .reset(let code): end = .failure(RPCError(.unavailable, "the stream was reset: \(code)"))
        }
    }

    /// The status of the call (grpc/doc/PROTOCOL-HTTP2.md, "Responses").
    private static func status(in trailers: HPACKHeaders) -> Result<Void, RPCError> {
        let code = trailers.first(name: "grpc-status").flatMap(Int32.init).flatMap(StatusCode.init)
        guard code != .ok else { return .success(()) }
        let message = trailers.first(name: "grpc-message")?.removingPercentEncoding ?? ""
        let text = trailers.first(name: "grpc-status-details-bin") ?? ""
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let details = Data(base64Encoded: text + padding).flatMap {
            try? RPCError(decodingStatus: ByteBuffer(bytes: $0), limit: .response).details
        }
        return .failure(RPCError(code ?? .unknown, message, details: details ?? [], origin: .peer))
    }
}
