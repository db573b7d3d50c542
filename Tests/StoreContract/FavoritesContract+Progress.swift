internal import MarvelDomain

/// The reported progress of a store's feed: a subscriber that has the feed up to there needs nothing from before.
extension FavoritesContract {
    static let progress = [
        FavoritesContract("the feed has all changes up to the reported position, and none is missing after it") {
            stage in
            let store = try await stage.make()
            let feed = FeedRecorder(store)
            let last: Int64 = 160
            let places = try await withThrowingTaskGroup { group in
                for writer: Int64 in 1...4 {
                    group.addTask {
                        for _ in 1...40 {
                            let revision = try await store.answer(writer).revision
                            let sent = store.sentRevision(of: .default) ?? revision
                            guard sent < revision else { continue }
                            throw ContractViolation(description: "answered \(revision), and sent \(sent)")
                        }
                        return [] as [Place]
                    }
                }
                group.addTask {
                    var places: [Place] = []
                    while !Task.isCancelled, let place = Place(in: store), place.sent < last {
                        let heard = feed.revisions().last ?? 0
                        guard heard >= place.sent else {
                            throw ContractViolation(description: "said to have sent \(place.sent), and sent \(heard)")
                        }
                        if place.sent != places.last?.sent { places.append(place) }
                        await Task.yield()
                    }
                    return places
                }
                return try await group.reduce([], +)
            }
            try expect(feed.revisions(), Array(1...last), "the feed")
            for place in places {
                let rest = Array((place.sent...last).dropFirst())
                try expect(place.later, rest, "the feed after \(place.sent)")
                let stored = try await store.allChanges(after: place.sent).map(\.revision)
                try expect(stored, rest, "the log after \(place.sent)")
            }
        },
        FavoritesContract("the feed has the changes of other servers that are older than its age") { stage in
            let store = try await stage.make()
            let feed = FeedRecorder(store)
            guard let second = try await stage.second(of: store) else {
                try await store.answer(1)
                return try expect(store.feedAge, .zero, "the age of the feed of a store that is alone")
            }
            for id: Int64 in 1...11 {
                let revision =
                    id < 11 ? try await second.answer(id).revision : try await second.delete(.default).revision
                try await untilFeed(of: store, isYoungerThan: .now)
                try expect(feed.revisions(), Array(1...revision), "the feed")
                try expect(store.sentRevision(of: .default) ?? revision, revision, "the revision that was sent")
            }
            try expect(feed.changes(), try await second.allChanges(), "the feed and the log")
            let unknown = try ListName(valid: "unknown")
            try expect(store.sentRevision(of: unknown) ?? 0, 0, "the one of an unknown list")
        },
    ]

    /// Waits until a store has asked for the changes of others after a moment.
    private static func untilFeed(
        of store: any FavoritesStore,
        isYoungerThan moment: ContinuousClock.Instant
    ) async throws {
        while moment + .seconds(30) > .now {
            // Read before the age, so that the age is that of a later moment.
            let now = ContinuousClock.now
            if store.feedAge < moment.duration(to: now) { return }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw ContractViolation(description: "the store does not poll for the changes of others")
    }

    /// A place at which the feed was heard to be.
    private struct Place: Sendable {
        let sent: Int64
        private let feed: FeedRecorder
        /// The number of events that had arrived after `sent` was read.
        private let count: Int

        /// Nil if the store does not say what it has sent.
        init?(in store: any FavoritesStore) {
            feed = FeedRecorder(store)
            guard let sent = store.sentRevision(of: .default) else { return nil }
            self.sent = sent
            count = feed.revisions().count
        }

        /// The revisions that arrived since, without those that had arrived when `sent` was read.
        var later: [Int64] {
            let all = feed.revisions()
            return all.prefix(count).filter { $0 > sent } + all.dropFirst(count)
        }
    }
}
