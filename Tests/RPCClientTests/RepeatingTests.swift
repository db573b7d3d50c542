import Framing
import NIOCore
import NIOEmbedded
import RPCCore
import Testing

@testable import RPCClient

/// The retries of failed calls.
struct RepeatingTests {
    typealias Stage = ClientStage

    static let unavailable = RPCError(.unavailable, "not now", origin: .peer)

    @Test func aReadIsSentAgainALittleLater() throws {
        let stage = Stage()
        let call = stage.call(.unary, "question")
        try stage.peers[0].fail(1, Self.unavailable)
        #expect(call.place == .backingOff)
        _ = try stage.peers[0].received()
        stage.advance(.milliseconds(99))
        #expect(call.place == .backingOff)
        stage.advance(.milliseconds(1))
        #expect(call.place == .open(3))
        #expect(try stage.peers[0].payloads() == ["question"])
        try stage.peers[0].answer(3)
        #expect(call.place == .succeeded)
    }

    /// The later attempt changed nothing; the first one may have.
    @Test func aLaterErrorDoesNotHideThatAChangeMayHaveBeenMade() throws {
        let unknown = RPCError(.unavailable, reason: .storeOutcomeUnknown, "who knows", origin: .peer)
        let readOnly = RPCError(.unavailable, reason: .storeReadOnly, "full", origin: .peer)
        let stage = Stage()
        let call = stage.call()
        try stage.peers[0].fail(1, unknown)
        stage.advance(.milliseconds(100))
        while case .open(let id) = call.place {
            try stage.peers[0].fail(id, readOnly)
            stage.advance(.seconds(5))
        }
        #expect(call.error == unknown)
    }

    @Test(arguments: [(ErrorReason.storeUnavailable, true), (.characterNotFound, false)])
    func aLostConnectionIsNotHiddenByALaterAttempt(reason: ErrorReason, isTransient: Bool) throws {
        let later = RPCError(isTransient ? .unavailable : .notFound, reason: reason, "no", origin: .peer)
        let stage = Stage()
        let call = stage.call()
        try stage.peers[0].hello()
        stage.peers[0].cut()
        stage.advance(.seconds(1))
        while case .open(let id) = call.place {
            try stage.peers[1].fail(id, later)
            stage.advance(.seconds(5))
        }
        #expect(call.error?.reason == (isTransient ? .connectionLost : reason))
    }

    @Test func aLostConnectionIsNotHiddenByAServerThatIsGone() throws {
        let stage = Stage()
        let call = stage.call(timeout: .seconds(10))
        try stage.peers[0].hello()
        stage.network.takeDown(Stage.a)
        stage.peers[0].cut()
        for _ in 1...100 { stage.advance(.milliseconds(100)) }
        #expect(call.error?.mayHaveReachedServer == true)
    }

    @Test func aFullQueueDoesNotHideThatAChangeMayHaveBeenMade() throws {
        let stage = Stage { $0.maximumWaitingCalls = 1 }
        let call = stage.call(timeout: .seconds(10))
        try stage.peers[0].hello()
        stage.network.takeDown(Stage.a)
        stage.peers[0].cut()
        let other = stage.call(timeout: .seconds(10))
        stage.advance(.milliseconds(150))
        // It was counted when it was new.
        #expect([call, other].map(\.place) == [.queued, .queued])
        #expect(stage.call().error?.reason == .clientQueueFull)
        stage.advance(.seconds(10))
        #expect(call.error?.mayHaveReachedServer == true)
        #expect(other.error?.mayHaveReachedServer == false)
    }

    @Test func aTokenThatIsNotSentDoesNotHideThatAChangeMayHaveBeenMade() {
        let lost = RPCError.connectionLost(ServerEndpoint(Stage.a), cause: "cut")
        let call = Stage().call()
        call.unknownOutcome = lost
        let credentials = ClientCredentials(token: "mrv1_x")
        let refusal = #expect(throws: RPCError.self) { try credentials.authorization(for: ServerEndpoint(Stage.b)) }
        #expect(refusal?.mayHaveReachedServer == false)
        if let refusal { call.end(.failure(refusal)) }
        #expect(call.error == lost)
    }

    @Test func aCallCanBeCancelledDuringItsBackoff() throws {
        let stage = Stage()
        let call = stage.call()
        try stage.peers[0].fail(1, Self.unavailable)
        stage.giveUp(call)
        #expect(call.place == .failed(.cancelled, .cancelled))
        _ = try stage.peers[0].received()
        stage.advance(.seconds(10))
        #expect(try stage.peers[0].received().isEmpty)
    }

    // MARK: The budget

    @Test func aLostConnectionIsOneFailureHoweverManyCallsItCarried() throws {
        let stage = Stage()
        let calls = (0..<64).map { _ in stage.call() }
        try stage.peers[0].hello()
        stage.peers[0].cut()
        stage.advance(.seconds(1))
        #expect(stage.peers.count == 2)
        let places = calls.map(\.place)
        #expect(places.allSatisfy { if case .open = $0 { true } else { false } })
    }

    // MARK: Streams

    @Test(arguments: [false, true])
    func aStreamIsSentAgainOnlyBeforeItsFirstMessage(hasMessage: Bool) throws {
        let stage = Stage()
        let call = stage.call(.serverStreaming)
        if hasMessage { try stage.peers[0].send(.data, on: 1, ByteBuffer(string: "one")) }
        try stage.peers[0].fail(1, Self.unavailable)
        stage.advance(.milliseconds(100))
        #expect(call.place == (hasMessage ? .failed(.unavailable, nil) : .open(3)))
    }

    @Test func aCallIsNotHeldBackBeyondItsDeadline() throws {
        let stage = Stage()
        let call = stage.call(timeout: .seconds(2))
        let busy = RPCError(.unavailable, "busy", details: [.retryInfo(.seconds(2))], origin: .peer)
        try stage.peers[0].fail(1, busy)
        #expect(call.error == busy, "at once, with what went wrong")
    }
}
