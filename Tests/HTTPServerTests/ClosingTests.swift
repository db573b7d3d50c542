import NIOCore
import RPCCore
import Testing

@testable import RPCServer

/// The end of connections.
@Suite(.timeLimit(.minutes(1)))
struct ClosingTests {
    /// While the server closes, bytes of the peer arrive. The kernel would answer them with a reset.
    @Test func theLastFrameIsNotOvertakenByAReset() async throws {
        try await HTTPTestServer.run { server in
            for _ in 0..<20 {
                try await RawHTTP2Peer.connected(to: server) { peer in
                    await peer.send(Array(repeating: .ping, count: 10))
                    let data = ByteBuffer(repeating: 0, count: 10_000)
                    await peer.send(Array(repeating: .init(type: 77, payload: data), count: 20))
                    #expect(await peer.end()?.text == "too_many_pings")
                }
            }
        }
    }

    /// The HTTP/2 handler refuses to send a GOAWAY with a higher stream than the one before.
    @Test func afterADrainHasBegunAForbiddenFrameEndsTheConnectionToo() async throws {
        let methods = TestMethods()
        try await RawHTTP2Peer.run(methods: methods) { server, peer in
            await peer.send(try peer.call("Hold", on: 1))
            try await eventually { methods.waitingCount == 1 }
            server.stop()
            _ = await peer.nextFrame { $0.goAway?.lastStream == 1 }
            await peer.send([.windowUpdate(0)])
            _ = await peer.end()
            try await eventually { methods.waitingCount == 0 }
        }
    }
}
