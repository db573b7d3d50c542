import Framing
import NIOCore
import NIOEmbedded
import RPCCore
import Testing

@testable import RPCClient

/// The behavior of a client whose server is stopping.
struct GoAwayTests {
    typealias Stage = ClientStage

    @Test func newCallsGoToAnotherConnectionAtOnceAndOpenOnesFinish() throws {
        let stage = Stage([Stage.a, Stage.b])
        let old = stage.call()
        try stage.peers[0].goAway(last: 1)
        let new = stage.call()
        #expect(stage.triedAddresses == [Stage.a, Stage.b])
        #expect(stage.attempts == [0, 0])
        #expect(new.place == .open(1))
        #expect(stage.peers[0].isOpen)
        try stage.peers[0].answer(1)
        #expect(old.place == .succeeded)
        #expect(!stage.peers[0].isOpen, "nothing is left to wait for")
        #expect(stage.peers[1].isOpen)
    }

    @Test func callsThatTheServerDidNotStartAreSentElsewhereWhateverTheyDo() throws {
        let stage = Stage([Stage.a, Stage.b])
        let started = stage.call(isRepeatable: false)
        let dropped = stage.call(.unary, "mine", isRepeatable: false)
        try stage.peers[0].goAway(last: 1)
        #expect(started.place == .open(1))
        stage.advance(.milliseconds(100))
        #expect(try stage.peers[1].payloads() == ["mine"])
        try stage.peers[1].answer(1)
        #expect(dropped.place == .succeeded)
    }

    @Test func aCallThatNoServerStartsSaysThatNoneHasSeenIt() throws {
        let stage = Stage { $0.retries = nil }
        let call = stage.call(isRepeatable: false)
        try stage.peers[0].goAway(last: 0)
        let error = try #require(call.error)
        #expect(error.code == .unavailable)
        #expect(error.reason == .callNotStarted)
        #expect(!error.mayHaveReachedServer)
    }

    @Test func theRetryDelayOfAGoAwayIsKept() throws {
        let stage = Stage()
        stage.call()
        try stage.peers[0].goAway(last: 1, retryAfter: .seconds(3))
        let patient = stage.call(timeout: .seconds(10))
        let hurried = stage.call(timeout: .seconds(2))
        #expect(patient.place == .queued)
        #expect(hurried.place == .failed(.unavailable, .serverUnreachable))
        #expect(hurried.error?.retryDelay == .seconds(3))
        stage.advance(.milliseconds(2_999))
        #expect(stage.attempts == [0])
        stage.advance(.milliseconds(1))
        #expect(stage.attempts == [0, 3_000])
        #expect(patient.place == .open(1))
    }

    @Test func aCallIsNotRetriedForeverAfterGoAways() throws {
        let stage = Stage()
        let call = stage.call()
        var connections = 0
        while !call.hasEnded, connections < 100 {
            connections += 1
            try #require(stage.peers.last).goAway(last: 0)
            stage.advance(.seconds(5))
        }
        #expect(connections == 5)
        #expect(call.place == .failed(.unavailable, .callNotStarted))
    }

    @Test func aGoAwayThatCannotBeReadIsOneAllTheSame() throws {
        let stage = Stage()
        let call = stage.call()
        try stage.peers[0].send(.goAway, on: .connection, ByteBuffer(bytes: [0x0A, 0xFF]))
        #expect(call.place == .open(1), "it may still be answered")
        stage.call()
        #expect(stage.peers.count == 2)
    }
}
