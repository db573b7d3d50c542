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
        try await Wire.framed.serve { second, _ in
            let made = Mutex<(client: RPCClient, calls: EndlessCalls)?>(nil)
            try await Wire.framed.serve { first, _ in
                let client = RPCClient(addresses: first.addresses + second.addresses)
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
                try await withThrowingTaskGroup(of: Void.self) { (group) async throws in
                    for number in 0..<20 {
                        group.addTask {
                            while !state.isOver.load(ordering: .relaxed) {
                                let request = ByteBuffer(integer: number)
                                let answer = try await client.unary(TestMethods.path("Echo"), request)
                                #expect(answer == request)
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
        try await Wire.framed.serve { server, methods in
            let client = RPCClient(addresses: server.addresses)
            let call = Task { try await client.unary(TestMethods.path("Hold"), ByteBuffer()) }
            await methods.hasWaiting.wait()
            call.cancel()
            await methods.hasCancelled.wait()
            let error = await #expect(throws: RPCError.self) { try await call.value }
            #expect(error?.code == .cancelled)
            #expect(error?.origin == .local)
            await client.shutdown()
        }
    }

    @Test func aCallFromACancelledTaskFails() async throws {
        try await Wire.framed.serve { server, _ in
            let client = RPCClient(addresses: server.addresses)
            let gate = Signal()
            let call = Task {
                await gate.wait()
                return try await client.unary(TestMethods.path("Echo"), ByteBuffer())
            }
            call.cancel()
            gate.set()
            let error = await #expect(throws: RPCError.self) { try await call.value }
            #expect(error?.code == .cancelled)
            await client.shutdown()
        }
    }
}
