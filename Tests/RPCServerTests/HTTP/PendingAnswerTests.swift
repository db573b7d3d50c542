import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Answers that are known before the ends of their requests.
@Suite(.timeLimit(.minutes(10)))
struct PendingAnswerTests {
    typealias Frame = HTTP2Peer.Frame

    /// Starts a server, and lets `body` use a connection to it on which the head of a request has arrived that is refused.
    private func withPendingAnswer(
        _ method: String = "Nothing",
        _ contentType: String = "application/grpc",
        timeout: Duration = .seconds(600),
        drain: Duration = .zero,
        _ body: (RPCServer, inout HTTP2Peer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration.patient
        configuration.pendingAnswerTimeout = timeout
        configuration.drainTimeout = drain
        try await HTTP2Peer.run(configuration, settings: []) { server, peer in
            await peer.send([try peer.head(method, on: 1, [("content-type", contentType)])])
            try await body(server, &peer)
        }
    }

    /// Waits for the next frame of the stream, and otherwise for the answer of a ping.
    private func nextFrame(_ peer: inout HTTP2Peer) async -> Frame? {
        await peer.nextFrame { $0.stream == 1 || $0.type == Frame.pingAnswer.type }
    }

    /// The answer, and then a reset, which says that no more of the request is wanted.
    @Test func itDoesNotWaitLong() async throws {
        try await withPendingAnswer(timeout: .milliseconds(20)) { (_, peer) async throws in
            let answer = await nextFrame(&peer)
            #expect((answer?.type, answer?.isEndOfStream) == (1, true))
            let reset = await nextFrame(&peer)
            #expect((reset?.type, reset?.payload) == (3, ByteBuffer(integer: 0 as UInt32)))
        }
    }

    /// curl writes the head and the body one after the other, and takes a reset between them for a failure.
    @Test(arguments: [("Nothing", "application/grpc"), ("Echo", "text/plain")], ["data", "trailers", "64 KB of data"])
    func theEndOfTheRequestIsFollowedByTheAnswerAndNoReset(
        _ request: (method: String, contentType: String),
        _ end: String
    ) async throws {
        try await withPendingAnswer(request.method, request.contentType) { _, peer in
            await peer.send([.ping])
            #expect(await nextFrame(&peer)?.stream == 0, "no answer yet")
            switch end {
            case "data": await peer.send([.data(HTTP2Peer.prefixed([1]), on: 1, endStream: true)])
            case "trailers":
                await peer.send([.data(ByteBuffer(bytes: [1]), on: 1), try peer.trailers(on: 1)])
            default:
                // Within the window.
                let frames = Array(repeating: Frame.data(ByteBuffer(repeating: 0, count: 16_000), on: 1), count: 4)
                await peer.send(frames + [.data(ByteBuffer(), on: 1, endStream: true)])
            }
            await peer.send([.ping])
            let last = await peer.nextFrame { $0.stream == 1 && $0.isEndOfStream }
            #expect(last != nil)
            #expect(await nextFrame(&peer)?.stream == 0, "no reset")
        }
    }

    /// The frames that end a connection, and a server whose drain is over.
    @Test(arguments: ["forbidden frame", "end of the drain"])
    func itIsSentBeforeTheConnectionEnds(_ end: String) async throws {
        try await withPendingAnswer { (server, peer) async throws in
            await peer.send([.ping])
            #expect(await nextFrame(&peer)?.stream == 0)
            if end == "forbidden frame" { await peer.send([.windowUpdate(0)]) } else { server.stop() }
            let answer = await peer.nextFrame { $0.stream == 1 }
            #expect((answer?.type, answer?.isEndOfStream) == (1, true))
            // A drain has named it as the last call before.
            #expect(await peer.end()?.lastStream == (end == "forbidden frame" ? 1 : nil))
        }
    }

    @Test func itIsForgottenWithItsStream() async throws {
        try await withPendingAnswer(drain: .seconds(600)) { server, peer in
            await peer.send([.reset(1), .ping])
            #expect(await nextFrame(&peer)?.stream == 0)
            await peer.send(try peer.call("Echo", [7], on: 3))
            let last = await peer.nextFrame { $0.stream == 3 && $0.isEndOfStream }
            #expect(last != nil)
            server.stop()
            _ = await peer.nextFrame { $0.goAway != nil }
            await peer.send([.init(type: 6, flags: 0x1, payload: ByteBuffer(integer: HTTP2Connection.drainPing))])
            #expect(await peer.end()?.lastStream == 3, "the drain waits for nothing")
        }
    }
}
