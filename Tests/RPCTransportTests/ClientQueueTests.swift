import Framing
import NIOCore
import NIOEmbedded
import RPCCore
import Testing

@testable import RPCTransport

/// Calls beyond the server's limit, and servers that have gone silent.
@Suite(.timeLimit(.minutes(1)))
struct ClientQueueTests {
    /// Says that it allows one call, and answers none by itself.
    private static let strict: ScriptedServer.Script = { frame, _ in
        frame.header.type == .hello ? .send([.hello(maximumStreams: 1)]) : .send([])
    }

    private func client(_ server: ScriptedServer) async throws -> RPCClient {
        RPCClient(addresses: [server.address])
    }

    private func call(_ client: RPCClient) -> Task<String, any Error> {
        Task { String(buffer: try await client.unary(TestService.path("Echo"), ByteBuffer())) }
    }

    /// Opens a connection whose Hello was read: a call that is answered came behind it.
    private func openCall(_ client: RPCClient, _ server: ScriptedServer) async throws {
        let first = call(client)
        await server.wait(for: 1, .request)
        try await server.send([.answer(1, "first")])
        #expect(try await first.value == "first")
    }

    @Test func theyAreSentWhenOthersEnd() async throws {
        try await ScriptedServer.run(Self.strict) { server in
            let client = try await client(server)
            try await openCall(client, server)
            let second = call(client)
            await server.wait(for: 2, .request)
            let third = call(client)
            // A Ping's answer comes behind whatever the client sent before it.
            try await server.send([Frame(.ping, on: .connection, data: ByteBuffer(repeating: 1, count: 8))])
            await server.wait(for: 1, .pong)
            #expect(server.requests == [1, 3])
            try await server.send([.answer(3, "second")])
            await server.wait(for: 3, .request)
            try await server.send([.answer(5, "third")])
            let answers = try await [second.value, third.value]
            #expect(answers == ["second", "third"])
            await client.shutdown()
        }
    }

    @Test func oneThatIsCancelledLeavesTheQueue() async throws {
        try await ScriptedServer.run(Self.strict) { server in
            let client = try await client(server)
            try await openCall(client, server)
            let second = call(client)
            await server.wait(for: 2, .request)
            let third = call(client)
            third.cancel()
            let error = await #expect(throws: RPCError.self) { try await third.value }
            #expect(error?.code == .cancelled)
            try await server.send([.answer(3, "second")])
            #expect(try await second.value == "second")
            let fourth = call(client)
            await server.wait(for: 3, .request)
            try await server.send([.answer(5, "fourth")])
            #expect(try await fourth.value == "fourth")
            // What was never sent needs no Cancel.
            #expect(server.frames(.cancel).isEmpty)
            await client.shutdown()
        }
    }

    @Test func aCancelledTaskSendsCancel() async throws {
        try await ScriptedServer.run({ _, _ in .send([]) }) { server in
            let client = try await client(server)
            let task = call(client)
            await server.wait(for: 1, .request)
            task.cancel()
            await server.wait(for: 1, .cancel)
            #expect(server.frames(.cancel) == [1])
            await client.shutdown()
        }
    }
}
