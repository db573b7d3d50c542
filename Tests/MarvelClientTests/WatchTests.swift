import FakeChannel
import MarvelDomain
import NIOCore
import RPCCore
import Synchronization
import Testing
import WireMessages

@testable import MarvelClient

/// A watch that breaks off continues behind its last event.
struct WatchTests {
    private typealias Answer = Result<ByteBuffer, RPCError>

    private static let gone = RPCError(.unavailable, "gone")

    private static func snapshot(_ revision: Int64) -> Answer {
        let list = FavoritesList(favorites: [], revision: revision, capacity: 5)
        return .success(WatchFavoritesResponse(.snapshot(list), attribution: "by Marvel").encoded())
    }

    private static func change(_ revision: Int64) -> Answer {
        .success(WatchFavoritesResponse(.changed(FavoritesChange(revision: revision))).encoded())
    }

    private static func progress(_ revision: Int64) -> Answer {
        .success(WatchFavoritesResponse(.progress(revision: revision)).encoded())
    }

    private struct Outcome {
        var events: [String] = []
        var error: RPCError?
        var fromRevisions: [Int64] = []
        var pauses: [Duration] = []
    }

    /// Reads until the script is used up: the last answer has to be an error that a watch does not outlive.
    private func watch(_ answers: [Answer], from revision: Int64 = 0, retries: Bool = true) async throws -> Outcome {
        let channel = FakeChannel(answers)
        let pauses = Mutex<[Duration]>([])
        let client = MarvelClient(
            channel: channel,
            retries: retries,
            timing: RetryTiming(sleep: { pause in pauses.withLock { $0.append(pause) } })
        )
        var outcome = Outcome()
        do throws(RPCError) {
            for try await event in client.watchFavorites(from: revision) {
                switch event {
                case .snapshot(let listed, let reset):
                    let reason = reset.map { " because \($0)" } ?? ""
                    outcome.events.append("snapshot \(listed.list.revision)\(reason)")
                case .changed(let change, _): outcome.events.append("change \(change.revision)")
                case .progress(let revision, _): outcome.events.append("progress \(revision)")
                case .interrupted: outcome.events.append("interrupted")
                }
            }
        } catch {
            outcome.error = error
        }
        outcome.fromRevisions = try channel.requests(WatchFavoritesRequest.self).map(\.fromRevision)
        outcome.pauses = pauses.withLock { $0 }
        return outcome
    }

    private static let end = Answer.failure(RPCError(.internalError, "the end of the script"))

    @Test(arguments: [gone, RPCError(.resourceExhausted, reason: .creditTimeout, "the reader slept")])
    func aWatchContinuesBehindItsLastChange(break error: RPCError) async throws {
        let outcome = try await watch([
            Self.snapshot(3), Self.change(4), .failure(error), Self.change(5), Self.progress(5), Self.end,
        ])
        #expect(outcome.events == ["snapshot 3", "change 4", "interrupted", "change 5", "progress 5"])
        #expect(outcome.fromRevisions == [0, 4])
        #expect(outcome.error?.code == .internalError)
    }

    private static let moved = [
        RPCError(.unavailable, reason: .connectionLost, "killed"),
        RPCError(.unavailable, reason: .draining, "stopping", details: [.retryInfo(.seconds(5))]),
        RPCError(.unavailable, reason: .callNotStarted, "stopping"),
    ]

    @Test(arguments: moved)
    func aReaderLearnsNothingOfAServerWhoseWatchAnotherTakesOver(end error: RPCError) async throws {
        let outcome = try await watch([
            Self.snapshot(3), Self.change(4), .failure(error), Self.change(5), .failure(error), Self.progress(5),
            Self.end,
        ])
        #expect(outcome.events == ["snapshot 3", "change 4", "change 5", "progress 5"])
        #expect(outcome.fromRevisions == [0, 4, 5])
        #expect(outcome.pauses.count == 2)
        #expect(outcome.pauses.allSatisfy { $0 > .zero && $0 <= .milliseconds(200) }, "\(outcome.pauses)")
    }

    @Test func aWatchDoesNotWaitForAServerWhileItsReaderKnowsNothing() async throws {
        let channel = FakeChannel([
            Self.snapshot(3), .failure(Self.moved[0]), .failure(Self.gone), Self.change(4), Self.end,
        ])
        let client = MarvelClient(channel: channel, timing: RetryTiming(sleep: { _ in }))
        await #expect(throws: RPCError.self) { for try await _ in client.watchFavorites() {} }
        #expect(channel.calls.map(\.waitsForServer) == [true, false, true])
    }

    @Test(arguments: [(ErrorReason.revisionCompacted, "compacted"), (.revisionAhead, "historyChanged")])
    func aRevisionThatDoesNotWorkIsReplacedByASnapshotThatSaysWhy(_ reason: ErrorReason, _ text: String) async throws {
        let outcome = try await watch(
            [
                .failure(RPCError(.outOfRange, reason: reason, "no")), Self.snapshot(90), Self.change(91),
                .failure(Self.gone), Self.snapshot(95), Self.end,
            ],
            from: 7
        )
        #expect(outcome.events == ["snapshot 90 because \(text)", "change 91", "interrupted", "snapshot 95"])
        #expect(outcome.fromRevisions == [7, 0, 91])
        #expect(outcome.pauses.count == 1)
    }

    private static let wakes: [@Sendable (MarvelClient) -> Void] = [{ $0.answers.received() }, { $0.connectNow() }]

    /// A call that reaches a server ends the wait, and so does the user.
    @Test(.timeLimit(.minutes(10)), arguments: [true, false], wakes.indices)
    func theWaitForALostServerEndsEarly(isBeforeTheWait: Bool, number: Int) async throws {
        let wake = Self.wakes[number]
        let started = AsyncStream.makeStream(of: Void.self)
        let channel = FakeChannel([Self.snapshot(3), .failure(Self.gone), Self.change(4), Self.end])
        let timing = RetryTiming(sleep: { _ in
            started.continuation.yield()
            try await Task.sleep(for: .seconds(3_600))
        })
        let client = MarvelClient(channel: channel, timing: timing)
        var events = client.watchFavorites().makeAsyncIterator()
        _ = try await events.next()
        guard case .interrupted? = try await events.next() else {
            Issue.record("the watch was not interrupted")
            return
        }
        if isBeforeTheWait { wake(client) }
        let other = Task {
            for await _ in started.stream {
                wake(client)
                return
            }
        }
        guard case .changed? = try await events.next() else {
            Issue.record("the watch did not resume")
            return
        }
        other.cancel()
    }

    /// A server that asks for time gets it, whatever else it answers.
    @Test func aWaitThatTheServerAskedForIsKept() async throws {
        let wish = RPCError(.unavailable, "later", details: [.retryInfo(.seconds(1))], origin: .peer)
        let channel = FakeChannel([Self.snapshot(3), .failure(wish), Self.change(4), Self.end])
        let waits = Mutex(0)
        let timing = RetryTiming(sleep: { _ in
            try await Task.sleep(for: .milliseconds(20))
            waits.withLock { $0 += 1 }
        })
        let client = MarvelClient(channel: channel, timing: timing)
        var events = client.watchFavorites().makeAsyncIterator()
        for _ in 0..<2 { _ = try await events.next() }
        client.answers.received()
        _ = try await events.next()
        #expect(waits.withLock { $0 } == 1)
    }

    @Test func eachKindOfCallCountsAsAnAnswer() async throws {
        let client = MarvelClient(channel: FakeChannel([.success(HealthCheckResponse(status: .serving).encoded())]))
        _ = try await client.health()
        #expect(client.answers.count == 1)
        let searching = MarvelClient(channel: FakeChannel(SearchCharactersResponse()))
        for try await _ in searching.searchCharacters("spider") {}
        #expect(searching.answers.count == 1)
        let watching = MarvelClient(channel: FakeChannel([Self.snapshot(3)]))
        var events = watching.watchFavorites().makeAsyncIterator()
        _ = try await events.next()
        #expect(watching.answers.count == 1)
        let failing = MarvelClient(channel: FakeChannel([.failure(Self.gone)]), retries: false)
        await #expect(throws: RPCError.self) { try await failing.health() }
        #expect(failing.answers.count == 0)
    }

    @Test func earlierEventsAreNotRepeated() async throws {
        let outcome = try await watch([Self.snapshot(3), Self.change(3), Self.change(4), Self.change(4), Self.end])
        #expect(outcome.events == ["snapshot 3", "change 4"])
    }

    @Test func aGapIsAnErrorAndNeverSilent() async throws {
        let outcome = try await watch([Self.snapshot(3), Self.change(5), Self.change(6)])
        #expect(outcome.events == ["snapshot 3"])
        #expect(outcome.error?.reason == .responseInvalid)
    }

    @Test func eachFailureIsReportedAndTheServersRetryDelayIsKept() async throws {
        let wish = RPCError(.unavailable, "later", details: [.retryInfo(.seconds(40))])
        let outcome = try await watch([Self.snapshot(3), .failure(wish), .failure(Self.gone), Self.change(4), Self.end])
        #expect(outcome.events == ["snapshot 3", "interrupted", "interrupted", "change 4"])
        #expect(outcome.pauses.count == 2)
        #expect(outcome.pauses.first == .seconds(40))
        #expect(outcome.fromRevisions == [0, 3, 3])
    }

    /// A place names the history too: a server that was restored meanwhile answers it by a snapshot.
    @Test func aWatchContinuesFromThePlaceOfItsLastEvent() async throws {
        func message(_ event: WatchFavoritesResponse.Event, _ place: String) -> Answer {
            .success(WatchFavoritesResponse(event, place: place).encoded())
        }
        let restored = FavoritesList(favorites: [], revision: 1 << 32, capacity: 5)
        let channel = FakeChannel([
            message(.changed(FavoritesChange(revision: 8)), "eight"), .failure(Self.gone),
            message(.snapshot(restored, reset: .historyChanged), "new"),
            message(.changed(FavoritesChange(revision: 1 << 32 + 1)), "newer"), .failure(Self.gone), Self.end,
        ])
        let client = MarvelClient(channel: channel, timing: RetryTiming(sleep: { _ in }))
        var resets: [SnapshotReset?] = []
        var places: [FavoritesPlace?] = []
        await #expect(throws: RPCError.self) {
            for try await event in client.watchFavorites(after: FavoritesPlace("seven")) {
                switch event {
                case .snapshot(let listed, let reset):
                    resets.append(reset)
                    places.append(listed.place)
                case .changed(_, let place): places.append(place)
                case .progress, .interrupted: break
                }
            }
        }
        #expect(resets == [.historyChanged])
        #expect(places == ["eight", "new", "newer"].map(FavoritesPlace.init))
        let requests = try channel.requests(WatchFavoritesRequest.self)
        #expect(requests.map(\.place) == ["seven", "eight", "newer"])
        #expect(requests.allSatisfy { $0.fromRevision == 0 })
    }

    @Test func aServerThatWasNeverThereIsAnError() async throws {
        let outcome = try await watch([.failure(Self.gone)])
        #expect(outcome.error == Self.gone)
        #expect(outcome.events.isEmpty)
    }

    @Test func withoutRetriesTheFirstBreakIsReported() async throws {
        let outcome = try await watch([Self.snapshot(3), .failure(Self.gone), Self.change(4)], retries: false)
        #expect(outcome.error == Self.gone)
        #expect(outcome.fromRevisions == [0])
    }

    @Test func aWatchThatIsCancelledWhileItPausesEnds() async throws {
        let channel = FakeChannel([Self.snapshot(3), .failure(Self.gone)])
        let client = MarvelClient(channel: channel, timing: RetryTiming(sleep: { _ in throw CancellationError() }))
        var iterator = client.watchFavorites().makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await iterator.next()
        let error = await #expect(throws: RPCError.self) { _ = try await iterator.next() }
        #expect(error?.code == .cancelled)
    }
}
