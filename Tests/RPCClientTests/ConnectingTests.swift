import Framing
import Glibc
import NIOCore
import NIOEmbedded
import RPCCore
import Testing

@testable import RPCClient

/// The connecting of a client, to its first server and to the next one.
struct ConnectingTests {
    typealias Stage = ClientStage

    @Test func nothingIsOpenedBeforeTheFirstCallAndOneConnectionCarriesAll() throws {
        let stage = Stage()
        stage.loop.run()
        #expect(stage.attempts.isEmpty)
        for _ in 1...3 { stage.call() }
        #expect(stage.attempts == [0])
        let first = try stage.peers[0].received()
        #expect(first.map(\.header.type) == [.hello, .request, .request, .request])
    }

    /// Watches hold their places for as long as they like.
    @Test func callsDoNotWaitForWatchesToEnd() throws {
        let stage = Stage()
        stage.call(timeout: .seconds(9))
        try stage.peers[0].hello(maximumStreams: 3)
        try stage.peers[0].answer(1)
        let watches = (1...3).map { _ in stage.call(.serverStreaming) }
        let call = stage.call(timeout: .seconds(9))
        #expect(stage.peers.count == 2)
        #expect(watches.map(\.place) == [.open(3), .open(5), .open(7)])
        #expect(call.place == .open(1))
        for watch in watches { stage.giveUp(watch) }
        #expect(stage.peers.map(\.isOpen) == [false, true])
    }

    @Test func shortCallsWaitForEachOther() throws {
        let stage = Stage()
        let calls = (1...5).map { _ in stage.call(timeout: .seconds(9)) }
        try stage.peers[0].hello(maximumStreams: 3)
        let waiting = stage.call(timeout: .seconds(9))
        #expect(waiting.place == .queued)
        for id in 1...3 { try stage.peers[0].answer(StreamID(rawValue: UInt32(2 * id - 1))) }
        #expect(waiting.place == .open(11))
        #expect(calls.count == 5 && stage.peers.count == 1)
    }

    // MARK: No connection

    @Test func aSlowLookupDoesNotHoldUpOtherServers() throws {
        let stage = Stage([Stage.a, Stage.b])
        stage.network.slowDown(Stage.a)
        let call = stage.call(timeout: .seconds(10))
        stage.advance(.milliseconds(2_999))
        #expect(stage.attempts.isEmpty)
        stage.advance(.milliseconds(1))
        #expect(stage.triedAddresses == [Stage.b])
        #expect(call.place == .open(1))
        // The addresses are used when they are needed.
        stage.network.answerLookups(Stage.c)
        stage.peers[0].cut()
        stage.advance(.seconds(1))
        #expect(stage.triedAddresses.contains(Stage.c))
    }

    @Test func aServerThatRefusesThisClientIsPassedOver() throws {
        let stage = Stage([Stage.a, Stage.b])
        let calls = (1...2).map { _ in stage.call() }
        try stage.peers[0].channel.writeInbound(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n"))
        stage.loop.run()
        #expect(stage.triedAddresses == [Stage.a, Stage.b])
        #expect(calls.map(\.place) == [.open(1), .open(3)])
    }

    /// 200, 400, 800 and 1,600 ms at most: after five vain attempts the caller is told.
    @Test func whileNoServerAnswersTheNextAttemptsAreFurtherAndFurtherApart() throws {
        let stage = Stage()
        stage.network.takeDown(Stage.a)
        let call = stage.call()
        stage.advance(.milliseconds(2_999))
        #expect(stage.attempts == [0, 200, 600, 1_400])
        #expect(call.place == .queued)
        stage.advance(.milliseconds(1))
        #expect(stage.attempts == [0, 200, 600, 1_400, 3_000])
        let error = try #require(call.error)
        #expect(error.code == .unavailable)
        #expect(error.reason == .serverUnreachable)
        #expect(!error.mayHaveReachedServer)
        #expect(error.retryDelay == .milliseconds(3_200), "when the next attempt may be made")
        #expect(error.message.contains("connection refused"))
    }

    /// 200 ms and twice as much each time: 6.2 s are longer than five attempts.
    @Test func aConnectedClientWaitsForARestart() throws {
        let stage = Stage()
        stage.call()
        try stage.peers[0].answer(1)
        stage.network.takeDown(Stage.a)
        stage.peers[0].cut()
        let calls = [stage.call(), stage.call(timeout: .seconds(10)), stage.call(timeout: .seconds(2))]
        stage.advance(.seconds(6))
        #expect(calls.map(\.place) == [.queued, .queued, .failed(.unavailable, .serverUnreachable)])
        stage.network.bringUp(Stage.a)
        stage.advance(.milliseconds(200))
        #expect(calls.prefix(2).map(\.place) == [.open(1), .open(3)])
    }

    @Test func aCallerThatDoesNotWaitLearnsTheNextAttemptImmediately() throws {
        let stage = Stage()
        stage.network.takeDown(Stage.a)
        let first = stage.call(waitsForServer: false)
        let second = stage.call(waitsForServer: false)
        #expect(stage.attempts == [0])
        #expect([first, second].map(\.error?.retryDelay) == [.milliseconds(200), .milliseconds(200)])
        stage.advance(.milliseconds(200))
        stage.network.bringUp(Stage.a)
        #expect(stage.call(waitsForServer: false).place == .open(1))
    }

    @Test func connectNowEndsTheBackoff() throws {
        let stage = Stage()
        stage.network.takeDown(Stage.a)
        let call = stage.call()
        stage.advance(.milliseconds(1_500))
        #expect(stage.attempts == [0, 200, 600, 1_400])
        stage.network.bringUp(Stage.a)
        stage.core.carryOut([.connectNow])
        stage.advance(.zero)
        #expect(stage.attempts == [0, 200, 600, 1_400, 1_500])
        #expect(call.place == .open(1))
    }

    @Test func aConnectedClientDoesNotWaitForeverForARestart() throws {
        let stage = Stage()
        stage.call()
        try stage.peers[0].answer(1)
        stage.network.takeDown(Stage.a)
        stage.peers[0].cut()
        let call = stage.call()
        stage.advance(.seconds(20))
        #expect(call.place == .queued)
        stage.advance(.seconds(20))
        #expect(call.place == .failed(.unavailable, .serverUnreachable))
    }

    @Test func waitingCallsShareTheAttempts() {
        let stage = Stage()
        stage.network.takeDown(Stage.a)
        let calls = (0..<500).map { _ in stage.call() }
        #expect(stage.attempts == [0])
        stage.advance(.milliseconds(200))
        #expect(stage.attempts == [0, 200])
        stage.network.bringUp(Stage.a)
        stage.advance(.milliseconds(400))
        #expect(stage.attempts == [0, 200, 600])
        let open = calls.count { if case .open = $0.place { true } else { false } }
        #expect(open == 100)
        #expect(calls[99].place == .open(199))
        #expect(calls[100].place == .queued, "for the stream limit that is assumed")
    }

    @Test func aCallThatCannotWaitLearnsTheTimeOfTheNextAttempt() throws {
        let stage = Stage()
        stage.network.takeDown(Stage.a)
        stage.call()
        stage.advance(.milliseconds(50))
        let call = stage.call(timeout: .milliseconds(150))
        let error = try #require(call.error)
        #expect(error.code == .unavailable)
        #expect(error.retryDelay == .milliseconds(150))
        let patient = stage.call(timeout: .milliseconds(151))
        #expect(patient.place == .queued)
    }

    @Test func aServerThatAcceptsAndHangsUpIsTreatedAsOneThatDoesNotAnswer() {
        let stage = Stage()
        let call = stage.call()
        stage.peers[0].cut()
        #expect(call.place == .backingOff)
        stage.advance(.milliseconds(199))
        #expect(stage.attempts == [0])
        stage.advance(.milliseconds(1))
        #expect(stage.attempts == [0, 200])
        #expect(call.place == .open(1))
    }

    // MARK: Several addresses

    @Test func callsOfALostConnectionAreTriedElsewhereFirst() throws {
        let stage = Stage([Stage.a, Stage.b])
        let first = stage.call()
        try stage.peers[0].answer(1)
        let second = stage.call()
        stage.peers[0].cut()
        stage.advance(.milliseconds(100))
        #expect(first.place == .succeeded)
        #expect(stage.triedAddresses == [Stage.a, Stage.b])
        #expect(second.place == .open(1))
    }

    @Test func aFailedAttemptTriesAllAddresses() {
        let stage = Stage([Stage.a, Stage.b])
        stage.network.takeDown(Stage.a, Stage.b)
        let call = stage.call()
        #expect(call.failedConnectAttempts == 1)
        #expect(call.place == .queued)
    }

    // MARK: A lost connection

    @Test func aLostConnectionIsOpenedAgainByTheNextCallWithoutAWait() throws {
        let stage = Stage()
        stage.call()
        try stage.peers[0].answer(1)
        stage.peers[0].cut()
        stage.loop.run()
        #expect(stage.attempts == [0], "nobody needs one")
        #expect(stage.call().place == .open(1))
        #expect(stage.attempts == [0, 0])
    }

    @Test func callsOfALostConnectionSayWhatIsKnownOfThem() throws {
        let stage = Stage()
        let call = stage.call(isRepeatable: false)
        try stage.peers[0].hello()
        stage.peers[0].cut()
        let error = try #require(call.error)
        #expect(error.code == .unavailable)
        #expect(error.reason == .connectionLost)
        #expect(error.origin == .local)
        #expect(error.mayHaveReachedServer)
        #expect(error.message.contains("may have seen"))
    }

    // MARK: Ids

    @Test func aConnectionRetiresWhenThreeQuartersOfItsIDsAreUsed() throws {
        let stage = Stage { $0.firstStreamID = 0xBFFF_FFFF }
        let calls = [stage.call(), stage.call(), stage.call()]
        #expect(calls.map(\.place) == [.open(0xBFFF_FFFF), .open(0xC000_0001), .open(0xBFFF_FFFF)])
        #expect(stage.peers.count == 2)
        #expect(stage.peers[0].isOpen)
        try stage.peers[0].answer(0xBFFF_FFFF)
        #expect(stage.peers[0].isOpen)
        try stage.peers[0].answer(0xC000_0001)
        #expect(!stage.peers[0].isOpen)
        #expect(stage.peers[1].isOpen)
        #expect(calls[2].place == .open(0xBFFF_FFFF))
    }

    // MARK: The end

    @Test func shuttingDownEndsEveryCallWhereverItIs() throws {
        let stage = Stage()
        let open = stage.call()
        try stage.peers[0].hello(maximumStreams: 2)
        let backingOff = stage.call()
        try stage.peers[0].fail(3, RPCError(.unavailable, "later", details: [.retryInfo(.seconds(9))]))
        let other = stage.call()
        let queued = stage.call()
        #expect([open, backingOff, other, queued].map(\.place) == [.open(1), .backingOff, .open(5), .queued])
        stage.core.carryOut([.shutDown(nil)])
        stage.loop.run()
        let end = ClientCall.Place.failed(.unavailable, .clientShutDown)
        #expect([open, backingOff, other, queued].map(\.place) == [end, end, end, end])
        #expect(!stage.peers[0].isOpen)
        #expect(stage.call().place == .failed(.cancelled, .clientShutDown))
        stage.advance(.seconds(60))
        #expect(stage.attempts == [0])
    }

    @Test func aConnectionThatComesAfterTheShutdownIsClosed() {
        let stage = Stage()
        let request = OutgoingRequest(
            method: MethodPath(service: "test.v1.TestService", method: "Any"),
            kind: .unary,
            payload: ByteBuffer(),
            metadata: Metadata(),
            isRepeatable: true
        )
        let call = ClientCall(request, deadline: nil)
        stage.core.carryOut([.call(call), .shutDown(nil)])
        stage.loop.run()
        #expect(call.place == .failed(.unavailable, .clientShutDown))
        #expect(stage.peers.map(\.isOpen) == [false])
    }

    // MARK: Host names

    @Test func theAddressesOfANameAreTriedOneByOneAndTheNameIsLookedUpAgain() throws {
        let stage = Stage([Stage.a])
        stage.network.name(Stage.a, Stage.b, Stage.c)
        stage.network.takeDown(Stage.b)
        let call = stage.call()
        #expect(stage.triedAddresses == [Stage.b, Stage.c])
        try stage.peers[0].answer(1)
        #expect(call.place == .succeeded)
        // The server is gone, and a later lookup tells its successor.
        stage.network.name(Stage.a, Stage.a)
        stage.advance(.seconds(6))
        stage.call()
        stage.peers[0].cut()
        stage.advance(.milliseconds(100))
        #expect(stage.triedAddresses == [Stage.b, Stage.c, Stage.a])
        #expect(stage.network.lookups == 2)
    }

    @Test func aNameWithoutAddressesIsReportedLikeAServerThatDoesNotAnswer() throws {
        let stage = Stage([Stage.a])
        stage.network.name(Stage.a)
        let call = stage.call(waitsForServer: false)
        #expect(call.place == .failed(.unavailable, .serverUnreachable))
        #expect(call.error?.retryDelay == .milliseconds(200))
        #expect(stage.attempts.isEmpty)
    }

    @Test func aFailureOfTheSystemIsToldInItsWords() {
        let failure = ConnectFailure(IOError(errnoCode: ECONNREFUSED, reason: "connect"))
        #expect(failure.cause == "Connection refused")
    }
}
