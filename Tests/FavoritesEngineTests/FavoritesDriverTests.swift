import MarvelDomain
import Synchronization
import Testing

@testable import FavoritesEngine

/// The driver, over a back end in memory.
struct FavoritesDriverTests {
    /// The events of a test, in their order.
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])

        func note(_ text: String) { lines.withLock { $0.append(text) } }

        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    /// A back end that makes all changes, unless it is told to fail.
    private final class Backend: FavoritesBackend {
        var engine = FavoritesEngine(.init(), history: HistoryID(616), base: 0, listCount: 0)
        var failure: FavoritesEngine.Failure?
        let log = Log()

        func step(_ body: (inout FavoritesEngine) -> Void) {
            body(&engine)
            let effects = engine.takeEffects()
            for case .changed(let changes) in effects.events { log.note("sent \(changes.map(\.revision))") }
            effects.answer()
        }

        func read(_ wanted: WantedLists) throws(FavoritesEngine.Failure) -> ListReading {
            if let failure { throw failure }
            var reading = ListReading(in: engine.history)
            reading.lists = wanted.lists.map { ($0.name, .success(.unknown(base: 0))) }
            return reading
        }

        func commit(_ group: ChangeGroup) throws(FavoritesEngine.Failure) -> GroupOutcome {
            if let failure { throw failure }
            log.note("committed \(group.requests.count)")
            let results = group.lists.map { list in
                GroupOutcome.ListResult.applied(
                    list.edits.enumerated().map { number, edit in
                        let revision = list.before.revision + Int64(number) + 1
                        return ListChange(list.name, FavoritesChange(revision: revision, saved: edit.saved))
                    }
                )
            }
            return GroupOutcome(lists: results, base: nil)
        }

        func take(_ reading: ListReading) { step { $0.read(reading) } }

        func take(_ outcome: GroupOutcome, of group: ChangeGroup) { step { $0.committed(outcome, at: .now) } }
    }

    private let backend = Backend()
    private let driver = FavoritesDriver(
        limits: InboxLimits(maximumCount: 4, maximumGroup: 3),
        now: { Timestamp(seconds: 1_700_000_000) },
        instant: { [start = ContinuousClock.now] in start }
    )

    private func add(
        _ id: Int64,
        by deadline: ContinuousClock.Instant? = nil,
        then body: @escaping @Sendable () -> Void = {}
    ) {
        let kind = FavoritesRequest.Kind.toggle(
            Toggle(list: .default, characterID: id),
            MarvelCharacter(id: id, name: "C")
        )
        let reply = FavoritesRequest.Reply.any { [log = backend.log] answer in
            switch answer {
            case .success: log.note("answered \(id)")
            case .failure(let error): log.note("refused \(id): \(error)")
            }
            body()
        }
        _ = driver.add(kind, key: nil, deadline, waking: { backend.log.note("woken") }, reply: reply)
    }

    @Test func eventsAreSentBeforeAnswers() {
        for id: Int64 in 1...2 { add(id) }
        #expect(backend.log.take() == ["woken"])
        while driver.hasWork(on: backend) { driver.turn(on: backend) }
        #expect(backend.log.take() == ["committed 2", "sent [1, 2]", "answered 1", "answered 2"])
        add(3)
        #expect(backend.log.take() == ["woken"])
    }

    @Test func thoseWhoAreAnsweredAreWokenAfterTheTurn() {
        final class Sleeper: Wakeable {
            let log: Log
            init(_ log: Log) { self.log = log }
            func wake() { log.note("woken") }
        }
        let sleeper = Sleeper(backend.log)
        for id: Int64 in 1...2 { add(id) { JointWakes.wake(sleeper) } }
        _ = backend.log.take()
        while driver.hasWork(on: backend) { driver.turn(on: backend) }
        #expect(
            backend.log.take() == ["committed 2", "sent [1, 2]", "answered 1", "answered 2", "woken", "woken"]
        )
        // One that the back end need not be asked for does not wait for it.
        add(3)
        add(4, by: .now - .seconds(3_600)) { JointWakes.wake(sleeper) }
        _ = backend.log.take()
        while driver.hasWork(on: backend) { driver.turn(on: backend) }
        #expect(
            backend.log.take()
                == ["refused 4: \(StoreError.deadlineExceeded)", "woken", "committed 1", "sent [3]", "answered 3"]
        )
    }

    @Test func aGroupIsBoundedAndTheRestFollows() {
        for id: Int64 in 1...5 { add(id) }
        #expect(backend.log.take() == ["woken", "refused 5: \(StoreError.overloaded)"])
        #expect(driver.waitingCount == 4)
        while driver.hasWork(on: backend) { driver.turn(on: backend) }
        #expect(backend.log.take().filter { $0.hasPrefix("committed") } == ["committed 3", "committed 1"])
    }

    @Test func aFailedStepIsToldToTheEngine() {
        backend.failure = .refused(.notWritable("full"))
        add(1)
        #expect(!driver.turn(on: backend))
        #expect(backend.log.take() == ["woken", "refused 1: \(StoreError.notWritable("full"))"])
        #expect(!driver.hasWork(on: backend))
    }

    @Test func aClosedDriverFinishesWhatWaits() {
        add(1)
        driver.close(with: .unavailable("closed"))
        driver.close(with: .cancelled)
        add(2)
        while driver.hasWork(on: backend) { driver.turn(on: backend) }
        #expect(
            backend.log.take()
                == ["woken", "refused 2: \(StoreError.unavailable("closed"))", "committed 1", "sent [1]", "answered 1"]
        )
    }
}
