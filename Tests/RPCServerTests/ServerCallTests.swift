import Framing
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients
import WireMessages

@Suite(.timeLimit(.minutes(1)))
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

    @Test(arguments: TestServer.Transport.wires)
    func manyCallsShareAConnection(over transport: TestServer.Transport) async throws {
        try await TestServer.serve(over: transport) { server, client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let request = ByteBuffer(integer: number)
                        let answer = try await client.unary(TestService.path("Echo"), request)
                        #expect(answer == request)
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.server.connectionCount == 1)
        }
    }

    /// A client without streams reads one page in this way.
    @Test func aStreamingMethodCalledWithoutFlagsAnswersItsFirstMessage() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Count", on: 1, payload: ByteBuffer(repeating: 0, count: 3))
            let frame = try #require(try await peer.nextFrame())
            #expect(frame.header.type == .response)
            let response = try ResponseEnvelope(decoding: frame.data, limit: .response)
            #expect(response.status == nil)
            #expect(response.payload == ByteBuffer(integer: UInt32(0)))
        }
    }

    @Test func aStreamEndsWithRemoteClosedAndNoData() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Count", on: 1, flags: .remoteClosed, payload: ByteBuffer(repeating: 0, count: 1))
            let message = try #require(try await peer.nextFrame())
            #expect(message == Frame(.data, on: 1, data: ByteBuffer(integer: UInt32(0))))
            let end = try #require(try await peer.nextFrame())
            #expect(end == Frame(.data, on: 1, flags: [.remoteClosed, .noData]))
        }
    }

    @Test(arguments: StatusCode.allCases.filter { $0 != .ok }, TestServer.Transport.wires)
    func aStatusArrivesWithItsDetails(_ code: StatusCode, over transport: TestServer.Transport) async throws {
        try await TestServer.serve(over: transport) { server, client in
            let error = await #expect(throws: RPCError.self) {
                try await client.unary(TestService.path("Fail"), ByteBuffer(integer: UInt8(code.rawValue)))
            }
            #expect(error?.code == code)
            #expect(error?.origin == .peer)
            #expect(error?.message == "failed as asked")
            #expect(error?.reason?.rawValue == "ASKED_FOR")
            #expect(error?.retryDelay == .milliseconds(1500))
        }
    }

    // MARK: Deadlines and cancellation

    @Test func aDeadlineThatHasPassedIsNotStarted() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Wait", on: 1, timeoutNanoseconds: -1)
            #expect(try await peer.nextStatus()?.code == .deadlineExceeded)
            #expect(!server.service.waitStarted.isSet)
        }
    }

    // MARK: The extensions

    @Test func aPlainPeerCannotCancel() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Wait", on: 1, payload: ByteBuffer(string: "still"))
            await server.service.waitStarted.wait()
            try await peer.send(.cancel, on: 1)
            // Answered behind the Cancel, so the Cancel has been seen.
            try await peer.call("Echo", on: 3)
            #expect(try await peer.nextFrame()?.header.streamID == 3)
            server.service.waitMayEnd.set()
            #expect(try await peer.nextFrame()?.header.streamID == 1)
        }
    }

    @Test func aStreamSendsAsManyMessagesAsItHasCredit() async throws {
        try await TestServer.run { server, peer in
            try await peer.sayHello(initialCredit: 1)
            try await peer.call("Endless", on: 1, flags: .remoteClosed)
            #expect(try await peer.nextFrame()?.header.type == .data)
            try await peer.send(.credit, on: 1, ByteBuffer(integer: UInt32(2)))
            #expect(try await peer.nextFrame()?.header.streamID == 1)
            #expect(try await peer.nextFrame()?.header.streamID == 1)
            // Whatever else the stream had sent would be here before this answer.
            try await peer.call("Echo", on: 3)
            #expect(try await peer.nextFrame()?.header.streamID == 3)
            #expect(server.service.produced.load(ordering: .relaxed) == 3)
        }
    }

    @Test func aPingIsAnsweredWithItsBytes() async throws {
        try await TestServer.run { server, peer in
            try await peer.sayHello()
            try await peer.send(.ping, on: .connection, ByteBuffer(string: "12345678"))
            #expect(try await peer.nextFrame() == Frame(.pong, on: .connection, data: ByteBuffer(string: "12345678")))
        }
    }
}
