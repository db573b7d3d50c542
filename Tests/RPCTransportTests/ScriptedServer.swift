import Framing
import NIOCore
import NIOPosix
import RPCCore
import Synchronization
import WireMessages

/// A server that says what a test wants to each frame, and counts the requests.
final class ScriptedServer: Sendable {
    /// The reply to a frame.
    enum Reply: Sendable {
        case send([Frame])
        case close
    }

    /// Asked on the event loop, with how many Requests there were before on all connections.
    typealias Script = @Sendable (Frame, Int) -> Reply

    private let listener: any Channel
    private let log: Log

    private init(_ listener: any Channel, _ log: Log) {
        self.listener = listener
        self.log = log
    }

    var address: ServerAddress { .tcp(host: "127.0.0.1", port: listener.localAddress?.port ?? 0) }

    /// Requests so far.
    var requestCount: Int { log.requests.load(ordering: .relaxed) }

    func stop() async {
        try? await listener.close()
        for channel in log.channels.withLock({ $0 }) { try? await channel.close() }
    }

    static func run(_ script: @escaping Script, _ body: (ScriptedServer) async throws -> Void) async throws {
        let log = Log()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                log.channels.withLock { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Actor(script, log))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = ScriptedServer(listener, log)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try result.get()
    }

    private final class Log: Sendable {
        let channels = Mutex<[any Channel]>([])
        let requests = Atomic(0)
    }

    private final class Actor: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let script: Script
        private let log: Log
        private var decoder = FrameDecoder()
        private var inbound = ByteBuffer()

        init(_ script: @escaping Script, _ log: Log) {
            self.script = script
            self.log = log
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            inbound.writeImmutableBuffer(unwrapInboundIn(data))
            while case .frame(let frame)? = try? decoder.next(from: &inbound) {
                let before = log.requests.load(ordering: .relaxed)
                if frame.header.type == .request { log.requests.add(1, ordering: .relaxed) }
                switch script(frame, before) {
                case .send(let frames): context.writeAndFlush(wrapOutboundOut(ByteBuffer(frames)), promise: nil)
                case .close: return context.close(promise: nil)
                }
            }
        }
    }
}

extension ByteBuffer {
    /// The bytes of frames, one behind the other.
    init(_ frames: [Frame]) {
        self.init()
        for frame in frames {
            writeFrame(frame.header.type, on: frame.header.streamID, flags: frame.header.flags, data: frame.data)
        }
    }
}

extension Frame {
    static func answer(_ id: StreamID, _ payload: String) -> Frame {
        Frame(.response, on: id, data: ResponseEnvelope(payload: ByteBuffer(string: payload)).encoded())
    }

    static func failure(_ id: StreamID, _ error: RPCError) -> Frame {
        Frame(.response, on: id, data: ResponseEnvelope(status: error).encoded())
    }

    static func goAway(last: UInt32, retryAfter: Duration? = nil) -> Frame {
        let message = GoAwayMessage(lastStreamID: last, reason: "DRAINING", retryAfter: retryAfter)
        return Frame(.goAway, on: .connection, data: message.encoded())
    }
}
