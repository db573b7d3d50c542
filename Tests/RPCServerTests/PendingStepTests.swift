import NIOCore
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients

/// Calls whose answers are made elsewhere and arrive by a call back.
@Suite(.timeLimit(.minutes(10)))
struct PendingStepTests {
    private let path = TestService.path("Pend")

    @Test func stepsThatArriveTogetherAnswerTheirCalls() async throws {
        try await TestServer.serve { server, client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...50 {
                    group.addTask {
                        let request = ByteBuffer(integer: number)
                        let answer = try await client.unary(path, request)
                        #expect(answer == request)
                    }
                }
                try await eventually { server.service.pending.withLock { $0.count == 50 } }
                for answer in server.service.pending.withLock(\.self) { answer() }
                try await group.waitForAll()
            }
        }
    }

    @Test func aStepMayArriveAtOnce() async throws {
        try await TestServer.serve { server, client in
            let answer = try await client.unary(path, ByteBuffer())
            #expect(answer == ByteBuffer())
        }
    }

    @Test func aStepIsCancelledWithItsCall() async throws {
        try await TestServer.serve { server, client in
            let call = Task { try await client.unary(path, ByteBuffer(string: "a")) }
            try await eventually { server.service.pending.withLock { !$0.isEmpty } }
            call.cancel()
            await server.service.pendingCancelled.wait()
            await #expect(throws: RPCError.self) { try await call.value }
            try await eventually { server.server.runningTaskCount == 0 }
        }
    }
}
