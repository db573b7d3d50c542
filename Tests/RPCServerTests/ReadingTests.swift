import Framing
import NIOCore
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients

/// Peers that do not read, or not at once.
@Suite(.timeLimit(.minutes(10)))
struct ReadingTests {
    /// 20 MB, more than the buffers of two sockets.
    private static let manyBlocks = String(repeating: "b", count: 400)

    @Test func aPeerThatDoesNotReadIsStillObeyed() async throws {
        try await TestServer.run { server in
            let peer = try await RawPeer.connect(to: server.address, reads: false)
            try await peer.send([.hello(), .request("Wait", on: 1)])
            await server.service.waitStarted.wait()
            try await peer.send([.request("Blocks", on: 3, flags: .remoteClosed, Self.manyBlocks)])
            // Requests are held once nothing more can be sent. The Cancel comes behind them.
            var number = 2
            while server.server.count(of: .frameHeld) == 0 {
                try await peer.send([.request("Echo", on: .number(number))])
                number += 1
                try await Task.sleep(for: .milliseconds(1))
            }
            try await peer.send([.cancel(1)])
            await server.service.waitCancelled.wait()
            try await peer.reset()
        }
    }
}
