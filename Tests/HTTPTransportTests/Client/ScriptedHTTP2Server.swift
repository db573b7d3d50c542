import HTTPCalls
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import RPCCore
import Synchronization

/// A server that answers each call with the frames that a test says.
final class ScriptedHTTP2Server: Sendable {
    /// Frames for the stream of a call; those that concern the connection are sent on it.
    typealias Script = @Sendable (_ number: Int, _ id: HTTP2StreamID) -> [HTTP2Frame.FramePayload]

    private let script: Script
    private let settings: HTTP2Settings
    private let seen = Mutex<[HPACKHeaders]>([])
    private let resets = Mutex<[HTTP2ErrorCode]>([])
    private let channel = Mutex<(any Channel)?>(nil)

    /// The heads of the calls so far.
    var heads: [HPACKHeaders] { seen.withLock { $0 } }
    /// The resets so far.
    var resetCodes: [HTTP2ErrorCode] { resets.withLock { $0 } }

    var endpoint: ServerEndpoint {
        let port = channel.withLock { $0?.localAddress?.port } ?? 0
        return ServerEndpoint(.tcp(host: "127.0.0.1", port: port), wire: .grpc)
    }

    private init(_ settings: HTTP2Settings, _ script: @escaping Script) {
        self.settings = settings
        self.script = script
    }

    /// Runs a server while `body` runs.
    static func run(
        settings: HTTP2Settings = nioDefaultSettings,
        _ script: @escaping Script,
        _ body: (ScriptedHTTP2Server) async throws -> Void
    ) async throws {
        let server = ScriptedHTTP2Server(settings, script)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let http = NIOHTTP2Handler(mode: .server, initialSettings: server.settings)
                    try channel.pipeline.syncOperations.addHandlers([http, Handler(server)])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.channel.withLock { $0 = channel }
        let result: Result<Void, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try await channel.close()
        try result.get()
    }

    private func called(_ head: HPACKHeaders, on id: HTTP2StreamID) -> [HTTP2Frame.FramePayload] {
        let number = seen.withLock { heads in
            heads.append(head)
            return heads.count
        }
        return script(number, id)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        private let server: ScriptedHTTP2Server
        private var heads: [HTTP2StreamID: HPACKHeaders] = [:]

        init(_ server: ScriptedHTTP2Server) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.payload {
            case .headers(let headers): heads[frame.streamID] = headers.headers
            case .data(let data) where data.endStream:
                guard let head = heads.removeValue(forKey: frame.streamID) else { return }
                for payload in server.called(head, on: frame.streamID) {
                    let id = payload.isOfConnection ? HTTP2StreamID.rootStream : frame.streamID
                    context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
                }
                context.flush()
            case .rstStream(let code): server.resets.withLock { $0.append(code) }
            default: break
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
}

extension HTTP2Frame.FramePayload {
    fileprivate var isOfConnection: Bool {
        if case .goAway = self { true } else { false }
    }

    static func head(_ status: String = "200", isEnd: Bool = false) -> Self {
        let headers: HPACKHeaders = [":status": status, "content-type": "application/grpc"]
        return .headers(.init(headers: headers, endStream: isEnd))
    }

    static func message(_ text: String) -> Self {
        .data(.init(data: .byteBuffer(HTTP2Peer.prefixed(Array(text.utf8)))))
    }

    static let success = Self.headers(.init(headers: ["grpc-status": "0"], endStream: true))

    static func failure(_ error: RPCError) -> Self {
        .headers(.init(headers: GRPCResponseHeaders.trailersOnly(error), endStream: true))
    }

    static func answer(_ text: String) -> [Self] { [.head(), .message(text), .success] }
}
