import MarvelDomain
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

/// Progress events of a watch: nothing at or before one arrives after it, and a watch that resumes there misses nothing.
@Suite struct ProgressTests {
    private let store = MemoryFavoritesStore(capacity: 3, history: HistoryID(616))
    private let service: CharacterService

    init() {
        service = CharacterService(
            catalog: TestCatalog.builtIn,
            store: store,
            progressInterval: .milliseconds(1)
        )
    }

    /// A watch, and all that it got.
    private final class Watch {
        let watcher: TestWatcher
        private(set) var revision: Int64
        private var progress: Int64?

        init(_ watcher: TestWatcher, after revision: Int64) { (self.watcher, self.revision) = (watcher, revision) }

        /// Takes what has arrived.
        ///
        /// - Returns: The place of a progress event, if there was one.
        func take() async throws -> FavoritesPlace? {
            var place: FavoritesPlace?
            while let response = try await watcher.next() {
                let event = try #require(response.event)
                if case .progress = event {
                    #expect(event.revision == revision, "a progress is where the watch is")
                    (progress, place) = (revision, FavoritesPlace(response.place))
                    continue
                }
                #expect(event.revision > progress ?? -1, "an event after the progress at \(progress ?? -1)")
                let isNext = event.snapshot != nil ? event.revision >= revision : event.revision == revision + 1
                #expect(isNext, "\(event.revision) after \(revision)")
                revision = event.revision
            }
            return place
        }
    }

    /// Changes, silence and watches by turns; each progress event is a place from which another watch continues.
    @Test(arguments: 1...20 as ClosedRange<UInt64>, [true, false])
    func nothingBeforeAProgressFollowsItAndAWatchResumesThere(_ seed: UInt64, _ tellsSent: Bool) async throws {
        var random = SplitMix64(seed: seed)
        if tellsSent { store.tellSentRevisions() }
        var watches = [Watch(try TestWatcher(service), after: 0)]
        var progressCount = 0
        for _ in 1...80 {
            let watch = try #require(watches.randomElement(using: &random))
            switch Int.random(in: 1...10, using: &random) {
            case 1...4: try await store.toggle([Int64.random(in: 1...5, using: &random)])
            case 5: store.feed(.nothing)
            case 6: store.feed(.changes)
            case 7: store.feed(.revisions)
            case 8, 9:
                // Its interval passes, whatever is on its way.
                _ = try await watch.take()
                watch.watcher.timeOut()
                guard let place = try await watch.take() else { continue }
                progressCount += 1
                // Later changes may have come with it.
                let revision = try #require(place.position(on: .default)).revision
                watches.append(Watch(try TestWatcher(service, place: place.text), after: revision))
            default: _ = try await watch.take()
            }
        }
        store.feed(.nothing)
        store.feed(.changes)
        try await store.toggle([6])
        let last = try await store.favorites(.default).revision
        for watch in watches {
            _ = try await watch.take()
            #expect(watch.revision == last, "every watch gets to the end")
        }
        #expect(progressCount > 0)
    }
}
