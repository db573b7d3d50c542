import Framing
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients

/// Peers that ask the server for work which nobody wants.
@Suite(.timeLimit(.minutes(1)))
struct PeerBehaviorTests {
    /// The frames of one write, after which the connection must be closed for the given reason.
    private func expectEnd(
        because reason: String,
        event: ServerEvent,
        after frames: [Frame],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await TestServer.run {
            $0.cancels = RateLimit(count: 5, window: .seconds(30))
            $0.faults = RateLimit(count: 5, window: .seconds(30))
            $0.controlFrames = RateLimit(count: 5, window: .seconds(30))
        } _: { server, peer in
            try await peer.sayHello()
            try await peer.send(frames)
            let last = try await peer.allFrames().last
            #expect(try last?.goAwayReason == reason, sourceLocation: sourceLocation)
            #expect(server.server.count(of: event) == 1, sourceLocation: sourceLocation)
            let other = try await server.echoOnce()
            #expect(other == "x", "the server continues for everyone else", sourceLocation: sourceLocation)
        }
    }

    @Test func aFloodOfPingsEndsTheConnection() async throws {
        let pings = Array(repeating: Frame.ping, count: 6)
        try await expectEnd(because: "TOO_MANY_CONTROL_FRAMES", event: .tooManyControlFrames, after: pings)
    }

    @Test func aFloodOfUnknownFramesEndsTheConnection() async throws {
        let frames = Array(repeating: Frame(FrameType(rawValue: 0x77), on: 9), count: 6)
        try await expectEnd(because: "TOO_MANY_CONTROL_FRAMES", event: .tooManyControlFrames, after: frames)
    }

    @Test func requestsThatAreNotMessagesEndTheConnection() async throws {
        let frames = (0...5).map { Frame(.request, on: .number($0), data: ByteBuffer(repeating: 0xFF, count: 50)) }
        try await expectEnd(because: "TOO_MANY_FAULTS", event: .tooManyFaults, after: frames)
    }

    @Test func aPlainPeerIsClosedWithoutAWord() async throws {
        try await TestServer.run({ $0.faults = RateLimit(count: 1, window: .seconds(30)) }) { server, peer in
            try await peer.send([.request("Echo", on: 4), .request("Echo", on: 4)])
            let frames = try await peer.allFrames()
            #expect(frames.count == 1, "the answer to the first")
        }
    }

    /// A well made client that is only busy never meets those limits.
    @Test func manyCallsAreNotAFault() async throws {
        try await TestServer.run {
            $0.cancels = RateLimit(count: 1, window: .seconds(30))
            $0.faults = RateLimit(count: 1, window: .seconds(30))
            $0.controlFrames = RateLimit(count: 1, window: .seconds(30))
        } _: { server in
            try await server.withClient { client in
                for _ in 0..<20 {
                    var count = 0
                    let request = ByteBuffer(repeating: 0, count: 100)
                    for try await _ in client.serverStream(TestService.path("Count"), request) { count += 1 }
                    #expect(count == 100)
                    _ = try await client.echo("a")
                }
            }
            #expect(server.server.count(of: .connectionAccepted) == 1)
        }
    }
}
