import Framing
import NIOCore
import RPCCore
import RPCServer
import Synchronization
import Testing

/// The last words of a connection: no call ends without an answer or a status, and none of them is lost.
@Suite(.timeLimit(.minutes(1)))
struct ClosingTests {
    // MARK: The server stops

    /// A plain client cannot be told that the server stops: whatever it sends before it knows has a status.
    @Test(arguments: 0..<5)
    func everyCallOfAPlainClientIsAnsweredWhileTheServerStops(_ round: Int) async throws {
        try await TestServer.run({ $0.drainQuietTime = .seconds(5) }) { server in
            let address = server.address
            try await withThrowingTaskGroup(of: (sent: Int, answered: Int).self) { group in
                for _ in 0..<8 { group.addTask { try await Self.callUntilRefused(address) } }
                try await eventually { server.server.connectionCount == 8 }
                server.server.stop()
                for try await (sent, answered) in group { #expect(answered == sent) }
            }
            await server.server.run()
        }
    }

    /// Keeps four calls in flight until one is refused.
    private static func callUntilRefused(_ address: ServerAddress) async throws -> (sent: Int, answered: Int) {
        let peer = try await RawPeer.connect(to: address)
        var (sent, answered, isRefused) = (0, 0, false)
        func call() async throws {
            try await peer.call("Echo", on: .number(sent))
            sent += 1
        }
        for _ in 0..<4 { try await call() }
        while answered < sent, let frame = try await peer.nextFrame() {
            answered += 1
            if let status = try frame.status {
                #expect(status.reason == .draining)
                isRefused = true
            }
            if !isRefused { try await call() }
        }
        try? await peer.close()
        return (sent, answered)
    }

    @Test func aQuietPlainClientIsClosedAndAnActiveOneRefused() async throws {
        try await TestServer.run { server in
            let quiet = try await RawPeer.connect(to: server.address)
            try await quiet.call("Echo", on: 1)
            _ = try await quiet.nextFrame()
            let busy = try await RawPeer.connect(to: server.address)
            try await busy.call("Wait", on: 1, payload: ByteBuffer(string: "done"))
            await server.service.waitStarted.wait()
            server.server.stop()
            #expect(try await quiet.nextFrame() == nil)
            for id: StreamID in [3, 5, 7] {
                try await busy.call("Echo", on: id)
                #expect(try await busy.nextStatus()?.reason == .draining)
            }
            server.service.waitMayEnd.set()
            let answer = try #require(try await busy.nextFrame())
            #expect(answer.header.streamID == 1)
            // It continues for as long as it is answered, and that is not for ever.
            var id = StreamID(rawValue: 9)
            while (try? await busy.call("Echo", on: id)) != nil, let frame = try await busy.nextFrame() {
                #expect(try frame.status?.reason == .draining)
                id = StreamID(rawValue: id.rawValue + 2)
            }
            await server.server.run()
        }
    }

    /// Its Hello, and a call behind it, were on their way when the server began to stop.
    @Test func aHelloDuringADrainIsAnsweredWithGoAway() async throws {
        try await TestServer.run({ $0.drainQuietTime = .seconds(20) }) { server, peer in
            try await eventually { server.server.connectionCount == 1 }
            let other = try await RawPeer.connect(to: server.address)
            try await other.call("Watch", on: 1, flags: .remoteClosed)
            _ = try await other.nextFrame()
            server.server.stop()
            #expect(try await other.nextStatus()?.reason == .draining, "the server is stopping")
            try await peer.sayHello()
            #expect(try await peer.nextFrame()?.goAwayReason == "DRAINING")
            #expect(try await peer.nextFrame() == nil)
            try await other.close()
        }
    }

    // MARK: The client closes its side

    @Test func aStreamThatWaitsForCreditLearnsWhereToResume() async throws {
        try await TestServer.run { server in
            let peer = try await RawPeer.connect(to: server.address, closesWithServer: false)
            try await peer.sayHello(initialCredit: 1)
            try await peer.call("Count", on: 1, flags: .remoteClosed, payload: ByteBuffer(string: "123"))
            #expect(try await peer.nextFrame()?.header.type == .data)
            try await peer.closeOutput()
            let status = try #require(try await peer.nextStatus())
            #expect(status.code == .cancelled)
            let info = ErrorInfo(reason: .inputClosed, metadata: ["number": "1"])
            #expect(status.details.contains(.errorInfo(info)))
            #expect(try await peer.nextFrame() == nil)
        }
    }

    @Test(arguments: ["Follow", "OneThenWait"])
    func aWaitingStreamEndsWithAStatus(_ method: String) async throws {
        try await TestServer.run { server in
            let peer = try await RawPeer.connect(to: server.address, closesWithServer: false)
            try await peer.call(method, on: 1, flags: .remoteClosed)
            if method == "OneThenWait" {
                #expect(try await peer.nextFrame()?.header.type == .data)
                await server.service.waitStarted.wait()
            } else {
                try await eventually { server.service.feed.listenerCount == 1 }
            }
            try await peer.closeOutput()
            #expect(try await peer.nextStatus()?.reason == .inputClosed)
            #expect(try await peer.nextFrame() == nil)
        }
    }

    // MARK: Limits that the client names

    @Test func anAnswerThatTheClientDoesNotTakeIsAnError() async throws {
        try await TestServer.run { server, peer in
            try await peer.sayHello(maximumFrameLength: 100)
            try await peer.call("Echo", on: 1, payload: ByteBuffer(repeating: 1, count: 100))
            let status = try #require(try await peer.nextStatus())
            #expect(status.reason == .answerTooLarge)
            #expect(status.message.contains("maximum is 100"))
            try await peer.call("Echo", on: 3, payload: ByteBuffer(repeating: 1, count: 90))
            let frame = try #require(try await peer.nextFrame())
            #expect(try frame.status == nil)
        }
    }

    @Test func aStreamThatIsReadAsOneMessageHasTheDefaultDeadline() async throws {
        try await TestServer.run({ $0.unaryTimeout = .milliseconds(50) }) { server, peer in
            try await peer.call("WaitThenCount", on: 1)
            #expect(try await peer.nextStatus()?.code == .deadlineExceeded)
        }
    }
}
