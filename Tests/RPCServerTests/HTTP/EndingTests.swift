import Framing
import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// The ends of HTTP/2 connections that no peer has to be blamed for: drains, age and idleness.
@Suite(.timeLimit(.minutes(10)))
struct EndingTests {
    private static let anyStream = UInt32(Int32.max)

    // MARK: Drains

    /// The last GOAWAY names the request, so the client may not send it again.
    @Test func aDrainWaitsForRequestsThatAreNotComplete() async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Echo"))
            #expect(try await peer.call("Echo", [1]).status == .ok, "the server has read the head")
            server.stop()
            #expect(try await peer.finalGoAway()?.lastStream == 3)
            await peer.send(HTTP2Peer.prefixed([7]), on: id)
            let answer = try await peer.answer(on: id)
            #expect((answer.status, answer.messages.map { Array($0.readableBytesView) }) == (.ok, [[7]]))
            try await peer.untilClosed()
        }
    }

    @Test func aDrainDoesNotWaitForLongForARequestThatIsNotComplete() async throws {
        try await HTTP2Peer.run(.with { $0.frameTimeout = .seconds(1) }) { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Echo"))
            #expect(try await peer.call("Echo", [1]).status == .ok)
            server.stop()
            #expect(try await peer.answer(on: id).status == .deadlineExceeded)
            try await peer.untilClosed()
        }
    }

    /// Nothing of it has run, which its client is told.
    @Test func aRequestThatIsNotCompleteWhenTheDrainEndsMayBeSentAgain() async throws {
        try await HTTP2Peer.run(.with { $0.drainTimeout = .milliseconds(200) }) { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Echo"))
            #expect(try await peer.call("Echo", [1]).status == .ok)
            server.stop()
            #expect(try await peer.answer(on: id).reset == .refusedStream)
            try await peer.untilClosed()
        }
    }

    /// The window takes two and a half messages. A client that reads gets the rest of the third, and then the status.
    @Test func aStreamThatIsStuckInAMessageHearsOfTheDrainBehindIt() async throws {
        let settings: HTTP2Peer.Settings = .window(2_500)
        try await HTTP2Peer.run(settings: settings) { server, peer in
            let id = try await peer.start("Count", HTTP2Peer.count(20, size: 1_000))
            var answer = try await peer.receive(2_500, on: id)
            server.stop()
            #expect(try await peer.finalGoAway()?.lastStream == 1)
            await peer.send([.windowUpdate(1 << 20, on: id)])
            answer = try await peer.answer(on: id, to: answer)
            #expect((answer.status, answer.reset, answer.messages.count) == (.unavailable, nil, 3))
            #expect(answer.trailers?.contains(name: "grpc-status-details-bin") == true)
            try await peer.untilClosed()
        }
    }

    @Test func afterADrainHasBegunAForbiddenFrameEndsTheConnectionToo() async throws {
        let methods = TestMethods()
        try await HTTP2Peer.run(methods: methods, settings: []) { server, peer in
            await peer.send(try peer.call("Hold", on: 1))
            try await eventually { methods.waitingCount == 1 }
            server.stop()
            _ = await peer.nextFrame { $0.goAway?.lastStream == 1 }
            await peer.send([.windowUpdate(0)])
            _ = await peer.end()
            try await eventually { methods.waitingCount == 0 }
        }
    }

    // MARK: Idleness

    /// A call that its client began before it read the first GOAWAY is answered.
    @Test func aCallThatCrossesTheEndOfAnIdleConnectionIsAnswered() async throws {
        try await HTTP2Peer.run(.with { $0.idleTimeout = .milliseconds(100) }, settings: []) { server, peer in
            let first = await peer.nextFrame { $0.goAway != nil }
            #expect(first?.goAway == .init(lastStream: Self.anyStream, code: .noError, text: "max_idle"))
            await peer.send(try peer.call("Echo", [7], on: 1))
            #expect(await peer.nextFrame { $0.type == 0 }?.payload.readableBytes == 6)
            #expect(await peer.end()?.lastStream == 1)
            #expect(server.count(of: .idleTimeout) == 1)
        }
    }

    /// Its calls are over, but the answers are still there: it is not idle.
    @Test func aPeerThatTakesNoAnswerIsClosedInTheEnd() async throws {
        let configuration = ServerConfiguration.with {
            ($0.idleTimeout, $0.creditTimeout) = (.seconds(1), .seconds(2))
        }
        try await HTTP2Peer.run(configuration, settings: .window(0)) { server, peer in
            let id = try await peer.start("Echo", [1, 2, 3])
            #expect(try await peer.answer(on: id).reset == .cancel)
            #expect((server.count(of: .creditTimeout), peer.goAways) == (1, []))
            try await peer.untilClosed()
            #expect((server.count(of: .idleTimeout), server.count(of: .writeTimeout)) == (1, 0))
        }
    }
}
