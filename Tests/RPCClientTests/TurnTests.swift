import Framing
import NIOCore
import NIOEmbedded
import RPCCore
import Testing

@testable import RPCClient

/// Calls beyond the server's limit, deadlines, and the sign of life.
struct TurnTests {
    typealias Stage = ClientStage

    // MARK: The stream limit

    @Test func callsBeyondTheServersLimitWaitInOrder() throws {
        let stage = Stage()
        stage.call()
        try stage.peers[0].hello(maximumStreams: 2)
        let calls = (0..<3).map { _ in stage.call() }
        #expect(calls.map(\.place) == [.open(3), .queued, .queued])
        try stage.peers[0].answer(1)
        #expect(calls.map(\.place) == [.open(3), .open(5), .queued])
        try stage.peers[0].answer(3)
        #expect(calls.map(\.place) == [.succeeded, .open(5), .open(7)])
    }

    @Test func aCallThatEndsByItsCallerMakesRoomToo() throws {
        let stage = Stage()
        let open = stage.call()
        try stage.peers[0].hello(maximumStreams: 1)
        let waiting = stage.call()
        stage.giveUp(open)
        #expect(waiting.place == .open(3))
        #expect(try stage.peers[0].summary() == ["request 1", "cancel 1", "request 3"])
    }

    @Test func aCallThatIsGivenUpWhileItWaitsIsNeverSent() throws {
        let stage = Stage()
        stage.call()
        try stage.peers[0].hello(maximumStreams: 1)
        let (waiting, next) = (stage.call(), stage.call())
        stage.giveUp(waiting)
        try stage.peers[0].answer(1)
        #expect(waiting.place == .failed(.cancelled, .cancelled))
        #expect(next.place == .open(3))
        #expect(try stage.peers[0].summary() == ["request 1", "request 3"])
    }

    @Test func aCallLeavesTheQueueAtItsDeadline() throws {
        let stage = Stage()
        stage.call()
        try stage.peers[0].hello(maximumStreams: 1)
        let waiting = stage.call(timeout: .seconds(5))
        stage.advance(.milliseconds(4_999))
        #expect(waiting.place == .queued)
        stage.advance(.milliseconds(1))
        #expect(waiting.place == .failed(.deadlineExceeded, .deadlineExceeded))
    }

    @Test func aCallAboveTheQueueLimitIsRefusedImmediately() throws {
        let stage = Stage { $0.maximumWaitingCalls = 2 }
        stage.call()
        try stage.peers[0].hello(maximumStreams: 1)
        let calls = (0..<3).map { _ in stage.call() }
        #expect(calls.map(\.place) == [.queued, .queued, .failed(.resourceExhausted, .clientQueueFull)])
        #expect(calls[2].error?.mayHaveReachedServer == false)
    }

    @Test func callsThatWaitForATurnOnALostConnectionWaitForTheNext() throws {
        let stage = Stage()
        stage.call()
        try stage.peers[0].hello(maximumStreams: 1)
        let waiting = stage.call(isRepeatable: false)
        stage.peers[0].cut()
        #expect(waiting.place == .open(1))
        #expect(stage.peers.count == 2)
    }

    // MARK: Messages that nobody reads

    /// 64 bytes count for each message besides its own.
    @Test(arguments: [("", 10), ("abcdef", 9)])
    func aStreamWithTooManyUnreadMessagesFails(_ message: String, _ count: Int) throws {
        let stage = Stage { $0.maximumWaitingBytes = 640 }
        let call = stage.call(.serverStreaming)
        for _ in 1...count { try stage.peers[0].send(.data, on: 1, ByteBuffer(string: message)) }
        #expect(call.place == .open(1))
        try stage.peers[0].send(.data, on: 1, ByteBuffer(string: message))
        #expect(call.place == .failed(.resourceExhausted, .readerTooSlow))
    }

    // MARK: Deadlines

    @Test func aCallEndsAtItsDeadlineAndTheServerIsNotified() throws {
        let stage = Stage()
        let call = stage.call(timeout: .seconds(5))
        try stage.peers[0].hello()
        stage.advance(.seconds(5))
        #expect(call.place == .failed(.deadlineExceeded, .deadlineExceeded))
        #expect(try stage.peers[0].summary() == ["request 1", "cancel 1"])
        #expect(stage.peers[0].isOpen)
    }

    @Test func eachCallEndsAtItsOwnDeadlineInWhateverOrderTheyCame() throws {
        let stage = Stage()
        let calls = [7, 3, 5].map { stage.call(timeout: .seconds($0)) }
        try stage.peers[0].hello()
        for (second, late) in [(2, []), (3, [1]), (4, [1]), (5, [1, 2]), (6, [1, 2]), (7, [0, 1, 2])] {
            stage.loop.advanceTime(to: .uptimeNanoseconds(0) + .seconds(Int64(second)))
            #expect(calls.indices.filter { calls[$0].hasEnded } == late, "at \(second) s")
        }
    }

    @Test func aCallWithNoTimeLeftIsNotSent() {
        let stage = Stage()
        #expect(stage.call(timeout: .zero).place == .failed(.deadlineExceeded, .deadlineExceeded))
        #expect(stage.call(timeout: .seconds(-1)).place == .failed(.deadlineExceeded, .deadlineExceeded))
        #expect(stage.attempts.isEmpty)
    }

    // MARK: The sign of life

    @Test func aSilentServerIsPingedAndAbandoned() throws {
        let stage = Stage()
        let call = stage.call(.serverStreaming, isRepeatable: false)
        try stage.peers[0].hello()
        stage.advance(.seconds(119))
        #expect(try stage.peers[0].summary() == ["request 1"])
        stage.advance(.seconds(1))
        #expect(try stage.peers[0].summary() == ["ping"])
        stage.advance(.seconds(19))
        #expect(stage.peers[0].isOpen)
        stage.advance(.seconds(1))
        #expect(!stage.peers[0].isOpen)
        #expect(call.place == .failed(.unavailable, .connectionLost))
        #expect(call.error?.message.contains("Ping") == true)
    }

    @Test func aServerThatAnswersThePingIsKept() throws {
        let stage = Stage()
        let call = stage.call(.serverStreaming)
        try stage.peers[0].hello()
        for _ in 1...10 {
            stage.advance(.seconds(120))
            try stage.peers[0].send(.pong, on: .connection, ByteBuffer(integer: UInt64(0)))
        }
        #expect(try stage.peers[0].summary() == ["request 1"] + Array(repeating: "ping", count: 10))
        #expect(call.place == .open(1))
    }

    @Test func theServersPingsAreAnswered() throws {
        let stage = Stage()
        stage.call(.serverStreaming)
        for number in 1...3 as ClosedRange<UInt64> {
            try stage.peers[0].send(.ping, on: .connection, ByteBuffer(integer: number))
            #expect(try stage.peers[0].summary().last == "pong")
        }
    }

    @Test func withoutOpenCallsNoPingIsSent() throws {
        let stage = Stage()
        stage.call()
        try stage.peers[0].hello()
        try stage.peers[0].answer(1)
        stage.advance(.hours(1))
        #expect(try stage.peers[0].summary() == ["request 1"])
        stage.call()
        stage.loop.run()
        stage.advance(.nanoseconds(1))
        #expect(
            try stage.peers[0].summary() == ["request 3", "ping"],
            "a long idle connection gets a Ping with the call"
        )
        stage.advance(.seconds(20))
        #expect(!stage.peers[0].isOpen)
    }

    @Test func aPlainServerThatHasAnsweredIsNotAsked() throws {
        let stage = Stage()
        stage.call(.serverStreaming)
        stage.call()
        try stage.peers[0].answer(3)
        stage.advance(.hours(1))
        #expect(try stage.peers[0].summary() == ["request 1", "request 3"])
        #expect(stage.peers[0].isOpen)
    }

    // MARK: A server that accepts the connection and sends nothing

    @Test func afterTheDeadlineOfACallItsConnectionIsClosedAndAnotherServerIsTried() throws {
        let stage = Stage([Stage.a, Stage.b])
        let stream = stage.call(.serverStreaming)
        let late = stage.call(timeout: .seconds(10))
        stage.advance(.seconds(10))
        #expect(late.place == .failed(.deadlineExceeded, .deadlineExceeded))
        #expect(!stage.peers[0].isOpen)
        #expect(stage.call().place == .open(1))
        stage.advance(.seconds(1))
        #expect(stage.triedAddresses == [Stage.a, Stage.b])
        #expect(stream.place == .open(3))
    }

    @Test func aShortDeadlineLeavesAConnectionTheTimeToBeAnswered() throws {
        let stage = Stage { $0.connectTimeout = .seconds(3) }
        for _ in 1...2 {
            stage.call(timeout: .seconds(1))
            stage.advance(.milliseconds(1_499))
            #expect(stage.peers[0].isOpen)
        }
        stage.call(timeout: .seconds(1))
        stage.advance(.seconds(1))
        #expect(!stage.peers[0].isOpen)
    }

    @Test func callsWithoutADeadlineMoveAfterTheIntervalOfTheKeepalive() throws {
        let stage = Stage([Stage.a, Stage.b])
        let call = stage.call(.serverStreaming)
        stage.advance(.seconds(119))
        #expect(stage.peers[0].isOpen)
        stage.advance(.seconds(2))
        #expect(try stage.peers[0].summary() == ["request 1"])
        #expect(!stage.peers[0].isOpen)
        #expect(stage.triedAddresses == [Stage.a, Stage.b])
        #expect(call.place == .open(1))
    }
}
