import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients

/// The client over real sockets, against a real server.
@Suite(.timeLimit(.minutes(10)))
struct ClientSocketTests {
    // MARK: Another connection, another server

    /// Calls that are under way when a server begins to stop are answered there, or started again at the other one. None of
    /// them may run twice, so none is repeated.
    @Test func noCallFailsWhileAServerStops() async throws {
        try await TestServer.run { second in
            let made = Mutex<(client: RPCClient, calls: EndlessCalls)?>(nil)
            try await TestServer.run { first in
                let client = second.client(of: [first.address, second.address])
                let calls = EndlessCalls(of: client)
                made.withLock { $0 = (client, calls) }
                try await calls.more(200)
            }
            let (client, calls) = try #require(made.withLock { $0 })
            try await calls.more(200)
            try await calls.end()
            await client.shutdown()
        }
    }

    /// Twenty callers that each make one call after the other.
    private final class EndlessCalls: Sendable {
        private let state: State
        private let task: Task<Void, any Error>

        private final class State: Sendable {
            let answers = Atomic(0)
            let isOver = Atomic(false)
        }

        init(of client: RPCClient) {
            let state = State()
            self.state = state
            task = Task {
                defer { state.isOver.store(true, ordering: .relaxed) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            while !state.isOver.load(ordering: .relaxed) {
                                let answer = try await client.echo(ByteBuffer(integer: number))
                                #expect(answer == ByteBuffer(integer: number))
                                state.answers.add(1, ordering: .relaxed)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        /// Waits for a number of further answers, or for a failure.
        func more(_ count: Int) async throws {
            let goal = state.answers.load(ordering: .relaxed) + count
            try await eventually {
                state.answers.load(ordering: .relaxed) >= goal || state.isOver.load(ordering: .relaxed)
            }
        }

        /// Ends the calls, and throws the error of one that failed.
        func end() async throws {
            state.isOver.store(true, ordering: .relaxed)
            try await task.value
        }
    }

    // MARK: Giving up

    @Test func aCancelledTaskCancelsItsCallOnTheServer() async throws {
        try await TestServer.run { server in
            try await server.withClient { client in
                let call = Task { try await client.unary(TestService.path("Wait"), ByteBuffer()) }
                await server.service.waitStarted.wait()
                call.cancel()
                await server.service.waitCancelled.wait()
                let error = await #expect(throws: RPCError.self) { try await call.value }
                #expect(error?.code == .cancelled)
                #expect(error?.origin == .local)
            }
        }
    }

    @Test func aCallFromACancelledTaskFails() async throws {
        try await TestServer.run { server in
            try await server.withClient { client in
                let gate = Signal()
                let call = Task {
                    await gate.wait()
                    return try await client.echo("never")
                }
                call.cancel()
                gate.set()
                let error = await #expect(throws: RPCError.self) { try await call.value }
                #expect(error?.code == .cancelled)
            }
        }
    }

    // MARK: Streams

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
}
