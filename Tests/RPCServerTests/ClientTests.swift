import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients

@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
    @Test func aDroppedIteratorStopsTheStream() async throws {
        try await TestServer.run { server in
            try await server.withClient { client in
                try await readOne(client.serverStream(TestService.path("OneThenWait"), ByteBuffer()))
                await server.service.waitCancelled.wait()
            }
        }
    }

    private func readOne(_ stream: WireStream) async throws {
        let iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == ByteBuffer(string: "one"))
    }

    /// The credit that the client grants is what bounds a stream whose reader is slow: a window of one brings each
    /// message when it is asked for.
    @Test(arguments: [1, 4] as [UInt32])
    func aSlowReaderIsNotSentMoreThanItsWindow(_ window: UInt32) async throws {
        try await TestServer.run { server in
            var options = RPCClientOptions()
            options.streamWindow = window
            try await server.withClient(options: options) { client in
                let iterator = client.serverStream(TestService.path("Endless"), ByteBuffer()).makeAsyncIterator()
                for _ in 0..<10 { _ = try await iterator.next() }
                // The server answers this behind whatever the stream could still send.
                _ = try await client.unary(TestService.path("Echo"), ByteBuffer())
                #expect(server.service.produced.load(ordering: .relaxed) < 10 + Int(window))
            }
        }
    }

    @Test(arguments: [1, 2, 3, 16] as [UInt32])
    func aStreamOfLargeMessagesIsReadToItsEnd(_ window: UInt32) async throws {
        try await TestServer.run { server in
            var options = RPCClientOptions()
            options.streamWindow = window
            try await server.withClient(options: options) { client in
                var sizes: [Int] = []
                let request = ByteBuffer(repeating: 0, count: 40)
                for try await message in client.serverStream(TestService.path("Blocks"), request) {
                    sizes.append(message.readableBytes)
                }
                #expect(sizes == Array(repeating: 50_000, count: 40))
            }
        }
    }
}
