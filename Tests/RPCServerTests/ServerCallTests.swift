import Framing
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients
import WireMessages

@Suite(.timeLimit(.minutes(10)))
struct ServerCallTests {
    @Test func waitingWorkContinuesOnTheEventLoop() async throws {
        try await TestServer.serve { server, client in
            async let answer = client.unary(TestService.path("WhereWorkRuns"), ByteBuffer())
            await server.service.waitStarted.wait()
            server.service.waitMayEnd.set()
            let isOnEventLoop = try await answer
            #expect(isOnEventLoop == ByteBuffer(bytes: [1]))
        }
    }

    @Test func eachConnectionIsACaller() async throws {
        try await TestServer.run { server in
            for calls in [2, 1] {
                try await server.withClient { client in
                    for _ in 0..<calls { _ = try await client.unary(TestService.path("Caller"), ByteBuffer()) }
                }
            }
            let callers = server.service.callers.withLock { $0 }
            let (first, second) = (try #require(callers.first), try #require(callers.last))
            #expect(callers == [first, first, first, first, second, second])
            #expect(Set([first, second, .server]).count == 3)
        }
    }

    @Test func aDeadlineThatHasPassedIsNotStarted() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Wait", on: 1, timeoutNanoseconds: -1)
            #expect(try await peer.nextStatus()?.code == .deadlineExceeded)
            #expect(!server.service.waitStarted.isSet)
        }
    }
}
