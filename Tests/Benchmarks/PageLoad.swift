import Framing
import NIOCore
import NIOPosix
import Synchronization
import WireMessages

/// Keeps a number of unary page calls in flight on each of a number of connections, and counts the answers.
///
/// A loop closed on purpose: the figure wanted is what a page costs the server, not how long a queue gets.
struct PageLoad {
    var connections = 16
    var inFlight = 16
    var query = "sp"

    /// Counted by every connection's handler while the load runs.
    final class Counters: Sendable {
        let pages = Atomic(0)
        let bytes = Atomic(0)
        let failures = Atomic(0)
    }

    /// Runs until `stop` closes the connections.
    func start(host: String, port: Int, counters: Counters) async throws -> [any Channel] {
        let search = SearchCharactersRequest(
            query: query,
            match: .prefix,
            pageSize: 10,
            pageToken: "",
            skip: 0,
            maxPages: 1,
            list: ""
        )
        let envelope = RequestEnvelope(
            service: "marvel.v1.MarvelService",
            method: "SearchCharacters",
            payload: search.encoded()
        ).encoded()
        let inFlight = inFlight
        var channels: [any Channel] = []
        for _ in 0..<connections {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            PageLoadHandler(request: envelope, inFlight: inFlight, counters: counters)
                        )
                    }
                }
                .connect(host: host, port: port).get()
            channels.append(channel)
        }
        return channels
    }
}

/// One connection of the load: each answer brings the next request, and all that one read answers leave with one write.
private final class PageLoadHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: ByteBuffer
    private let inFlight: Int
    private let counters: PageLoad.Counters
    private var decoder = FrameDecoder()
    private var inbound = ByteBuffer()
    private var outbound = ByteBuffer()
    private var nextStream = StreamID(rawValue: 1)

    init(request: ByteBuffer, inFlight: Int, counters: PageLoad.Counters) {
        self.request = request
        self.inFlight = inFlight
        self.counters = counters
    }

    func channelActive(context: ChannelHandlerContext) {
        for _ in 0..<inFlight { writeRequest() }
        flush(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if inbound.readableBytes == 0 {
            inbound = bytes
        } else {
            inbound.discardReadBytes()
            inbound.writeBuffer(&bytes)
        }
        do {
            while case .frame(let frame)? = try decoder.next(from: &inbound) {
                counters.pages.add(1, ordering: .relaxed)
                counters.bytes.add(frame.data.readableBytes, ordering: .relaxed)
                // A page of the query that is asked for is never this short; a status is.
                if frame.data.readableBytes < 200 { counters.failures.add(1, ordering: .relaxed) }
                writeRequest()
            }
        } catch {
            counters.failures.add(1, ordering: .relaxed)
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush(context)
    }

    private func writeRequest() {
        outbound.writeFrame(.request, on: nextStream, data: request)
        nextStream = StreamID(rawValue: nextStream.rawValue + 2)
    }

    private func flush(_ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(outbound), promise: nil)
        outbound.clear()
    }
}
