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

    @Test func openingAndCancellingEndsTheConnection() async throws {
        let pairs = (0...5).flatMap { [Frame.request("Wait", on: .number($0)), .cancel(.number($0))] }
        try await expectEnd(because: "TOO_MANY_CANCELS", event: .tooManyCancels, after: pairs)
    }

    /// Streams are no way around that limit: neither one whose first message is made at once but not sent before the
    /// Cancel, nor one whose work has only begun.
    @Test(arguments: ["Watch", "WaitThenCount"])
    func openingAndCancellingStreamsEndsTheConnection(_ method: String) async throws {
        let pairs = (0...5).flatMap {
            [Frame.request(method, on: .number($0), flags: .remoteClosed), .cancel(.number($0))]
        }
        try await expectEnd(because: "TOO_MANY_CANCELS", event: .tooManyCancels, after: pairs)
    }

    /// A user who types cancels each search when its first page is there.
    @Test func streamsMayBeCancelledAfterTheirFirstMessage() async throws {
        try await TestServer.run({ $0.cancels = RateLimit(count: 2, window: .seconds(30)) }) { server, peer in
            try await peer.sayHello(initialCredit: 1)
            for number in 0..<10 {
                try await peer.call("Endless", on: .number(number), flags: .remoteClosed)
                #expect(try await peer.nextFrame()?.header.type == .data)
                try await peer.send([.cancel(.number(number))])
            }
            try await eventually { server.server.count(of: .cancelReceived) == 10 }
            #expect(server.server.count(of: .tooManyCancels) == 0)
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

    // MARK: Cancelled calls

    @Test func cancelledCallsKeepTheirPlacesUntilTheirTasksStop() async throws {
        try await TestServer.run({ $0.maximumStreams = 4 }) { server, peer in
            try await peer.sayHello()
            for round in 0..<10 {
                let numbers = round * 4..<round * 4 + 4
                try await peer.send(numbers.flatMap { [.request("Stubborn", on: .number($0)), .cancel(.number($0))] })
            }
            // The first four run, all others were refused: nothing that was cancelled is answered.
            for _ in 4..<40 { #expect(try await peer.nextStatus()?.reason == .streamLimit) }
            try await eventually { server.service.stubbornRunning.load(ordering: .relaxed) == 4 }
            #expect(server.service.stubbornRunning.load(ordering: .relaxed) == 4)
            server.service.stubbornMayEnd.set()
            try await expectPlace(peer, from: 40)
            #expect(server.server.count(of: .cancelReceived) == 4)
        }
    }

    /// Calls until there is room again.
    private func expectPlace(_ peer: RawPeer, from first: Int) async throws {
        var number = first
        repeat {
            try await peer.send([.request("Echo", on: .number(number), "room")])
            let frame = try #require(try await peer.nextFrame())
            guard try frame.status != nil else { return }
            #expect(try frame.status?.reason == .streamLimit)
            number += 1
        } while true
    }

    @Test func aCallPastItsDeadlineKeepsItsPlaceUntilItsTaskStops() async throws {
        try await TestServer.run({ $0.maximumStreams = 1 }) { server, peer in
            try await peer.call("Stubborn", on: 1, timeoutNanoseconds: 1)
            #expect(try await peer.nextStatus()?.code == .deadlineExceeded)
            try await peer.call("Echo", on: 3)
            #expect(try await peer.nextStatus()?.reason == .streamLimit)
            server.service.stubbornMayEnd.set()
            try await expectPlace(peer, from: 2)
        }
    }

    /// The server knows of every task that runs for it, also of those whose calls and connections are gone.
    @Test func tasksAreCountedUntilTheyStopWhateverBecameOfTheirConnection() async throws {
        try await TestServer.run { server, peer in
            try await peer.sayHello()
            try await peer.send((0..<20).map { .request("Stubborn", on: .number($0)) })
            try await peer.send((0..<10).map { .cancel(.number($0)) })
            try await eventually { server.server.count(of: .cancelReceived) == 10 }
            #expect(server.server.runningTaskCount == 20)
            try await peer.reset()
            try await eventually { server.server.connectionCount == 0 }
            #expect(server.server.runningTaskCount == 20)
            server.service.stubbornMayEnd.set()
            try await eventually { server.server.runningTaskCount == 0 }
        }
    }
}
