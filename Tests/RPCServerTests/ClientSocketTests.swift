import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients

/// The client over real sockets, against a real server.
@Suite(.timeLimit(.minutes(1)))
struct ClientSocketTests {
    // MARK: Another connection, another server

    /// Each call finds the connection cut, or is cut itself; none of them fails.
    @Test func readsOutliveTheirConnections() async throws {
        try await TestServer.run { server in
            let proxy = try await Proxy.start(to: server.address)
            let client = server.client(of: [proxy.address])
            for number in 1...5 {
                let answer = try await client.unary(
                    TestService.path("Echo"),
                    ByteBuffer(integer: number),
                    isRepeatable: true
                )
                #expect(answer == ByteBuffer(integer: number))
                await proxy.cutConnections()
            }
            await client.shutdown()
            await proxy.stop()
        }
    }

    @Test func aCallThatWasCutOffIsAnsweredByTheNextConnection() async throws {
        try await TestServer.run { server in
            let proxy = try await Proxy.start(to: server.address)
            let client = server.client(of: [proxy.address])
            let call = Task {
                try await client.unary(TestService.path("Wait"), ByteBuffer(string: "me"), isRepeatable: true)
            }
            await server.service.waitStarted.wait()
            server.service.waitMayEnd.set()
            await proxy.cutConnections()
            #expect(try await call.value == ByteBuffer(string: "me"))
            await client.shutdown()
            await proxy.stop()
        }
    }

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

    // MARK: Many calls at once

    /// The server refuses the 129th call on a connection; the client does not let it come to that.
    @Test func moreCallsThanTheServerAllowsAllSucceed() async throws {
        try await TestServer.run { server in
            try await server.withClient { client in
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<500 {
                        group.addTask {
                            let request = ByteBuffer(integer: number)
                            return try await client.echo(request) == request
                        }
                    }
                    for try await isRight in group { #expect(isRight) }
                }
            }
        }
    }

    /// A stream that nobody reads costs the others nothing.
    @Test func anUnreadStreamBlocksNoOther() async throws {
        try await TestServer.run { server in
            try await server.withClient { client in
                let dead = client.serverStream(TestService.path("Endless"), ByteBuffer()).makeAsyncIterator()
                _ = try await dead.next()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<90 {
                        group.addTask {
                            var count = 0
                            let request = ByteBuffer(repeating: 0, count: 50)
                            for try await _ in client.serverStream(TestService.path("Count"), request) { count += 1 }
                            return count
                        }
                    }
                    for try await count in group { #expect(count == 50) }
                }
                #expect(try await dead.next() != nil)
            }
        }
    }
}
