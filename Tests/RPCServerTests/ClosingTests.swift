import Framing
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireClients
import WireMessages

/// The last words of a connection: no call ends without an answer or a status, and none of them is lost.
@Suite(.timeLimit(.minutes(10)))
struct ClosingTests {
    // MARK: The server stops

    /// Stopped under load: every call ends, with its answer or with a status that says to send it again.
    @Test(arguments: 0..<5)
    func everyCallEnds(_ round: Int) async throws {
        try await Wire.framed.serve { server, _ in
            let peers = try await connect(4, to: server)
            for peer in peers {
                try await peer.send((0..<100).map { .request("Echo", on: .number($0)) })
            }
            server.stop()
            for peer in peers {
                let frames = try await peer.allFrames()
                let goAway = frames.first { $0.header.type == .goAway }
                let data = try #require(goAway?.data)
                let last = try GoAwayMessage(decoding: data, limit: .response).lastStreamID
                let responses = frames.filter { $0.header.type == .response }
                let answered = Set(responses.map(\.header.streamID.rawValue))
                // Every call up to the GoAway's last stream has its answer. The server did not look at later ones.
                #expect(answered.isSuperset(of: stride(from: 1, through: last, by: 2)))
                for response in responses {
                    let status = try response.status
                    #expect(status == nil || status?.reason == .draining)
                }
            }
        }
    }

    private func connect(_ count: Int, to server: RPCServer) async throws -> [RawPeer] {
        var peers: [RawPeer] = []
        for _ in 0..<count {
            let peer = try await RawPeer.connect(to: server.addresses[0])
            try await peer.sayHello()
            peers.append(peer)
        }
        return peers
    }

    /// The server did not know that the peer understands a GoAway.
    @Test func aPeerWhoseHelloComesDuringADrainGetsTheGoAway() async throws {
        try await RawPeer.run({ $0.drainQuietTime = .seconds(60) }) { server, _, peer in
            try await eventually { server.connectionCount == 1 }
            server.stop()
            try await peer.sayHello()
            #expect(try await peer.allFrames().map { try $0.goAwayReason } == ["DRAINING"])
        }
    }

    // MARK: The client's faults, and its silence

    /// A plain peer knows no GoAway. For others it names the last call that may have run.
    @Test(arguments: [true, false]) func faultsEndTheConnection(_ saysHello: Bool) async throws {
        try await RawPeer.run({ $0.faults = RateLimit(count: 3, window: .seconds(60)) }) { server, _, peer in
            if saysHello { try await peer.sayHello() }
            try await peer.send([.request("Echo", on: 7)] + Array(repeating: .request("Echo", on: 2), count: 4))
            let frames = try await peer.allFrames()
            #expect(frames.filter { $0.header.type == .response }.map(\.header.streamID) == [7, 2, 2, 2])
            let goAways = try frames.filter { $0.header.type == .goAway }.map {
                try GoAwayMessage(decoding: $0.data, limit: .response)
            }
            #expect(goAways.map(\.reason) == (saysHello ? ["TOO_MANY_FAULTS"] : []))
            #expect(goAways.map(\.lastStreamID) == (saysHello ? [7] : []))
        }
    }

    @Test func aPingIsNotACall() async throws {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.idleTimeout = .seconds(1)
            $0.controlFrames = RateLimit(count: .max, window: .seconds(60))
        }
        try await RawPeer.run(configure) { server, _, peer in
            try await peer.sayHello()
            try await peer.send([.request("Echo", on: 1)])
            var last: Frame?
            repeat {
                try? await peer.send(.ping, on: .connection, ByteBuffer(string: "12345678"))
                guard let frame = try await peer.nextFrame() else { break }
                last = frame
            } while last?.header.type != .goAway
            #expect(try last?.goAwayReason == "IDLE")
            let data = try #require(last?.data)
            #expect(try GoAwayMessage(decoding: data, limit: .response).lastStreamID == 1)
        }
    }

    /// The end of its work is the last use of the connection, and the idle time begins with it.
    @Test func aCallWhoseDeadlinePassesWithTheIdleTimeGetsItsStatus() async throws {
        try await RawPeer.run({ $0.idleTimeout = .seconds(1) }) { server, _, peer in
            try await peer.sayHello()
            try await peer.send([
                .request("OneThenHold", on: 1, flags: .remoteClosed, timeoutNanoseconds: 1_000_000_000)
            ])
            let frames = try await peer.allFrames()
            let statuses = try frames.compactMap { try $0.status?.code }
            #expect(statuses == [.deadlineExceeded])
            #expect(try frames.last?.goAwayReason == "IDLE")
        }
    }

    // MARK: Limits that the client names

    @Test func anAnswerThatTheClientDoesNotTakeIsAnError() async throws {
        try await RawPeer.run { server, _, peer in
            try await peer.sayHello(maximumFrameLength: 100)
            try await peer.send([.request("Echo", on: 1, ByteBuffer(repeating: 1, count: 100))])
            let status = try #require(try await peer.nextStatus())
            #expect(status.reason == .answerTooLarge)
            #expect(status.message.contains("maximum is 100"))
            try await peer.send([.request("Echo", on: 3, ByteBuffer(repeating: 1, count: 90))])
            let frame = try #require(try await peer.nextFrame())
            #expect(try frame.status == nil)
            // Each is counted as what its caller got.
            let counts = server.endedCalls.map { ($0.code, $0.counts.count) }.sorted {
                $0.0.rawValue < $1.0.rawValue
            }
            #expect(counts.map(\.0) == [.ok, .resourceExhausted])
            #expect(counts.map(\.1) == [1, 1])
        }
    }

    @Test func aStreamThatIsReadAsOneMessageHasTheDefaultDeadline() async throws {
        try await RawPeer.run({ $0.unaryTimeout = .milliseconds(50) }) { server, _, peer in
            try await peer.send([.request("HoldThenCount", on: 1)])
            #expect(try await peer.nextStatus()?.code == .deadlineExceeded)
        }
    }
}
