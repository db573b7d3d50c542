internal import MarvelDomain

/// The state that survives a lowered limit and a wall clock that jumps.
extension FavoritesContract {
    static let settings = [
        FavoritesContract("a list above a lowered capacity keeps its favorites until the next save") { stage in
            var store = try await stage.make()
            let (shorter, longer) = (try ListName(valid: "shorter"), try ListName(valid: "longer"))
            for id: Int64 in 1...5 {
                try await store.answer(id)
                try await store.answer(id, on: longer)
            }
            try await store.answer(1, on: shorter)
            let before = try await store.favorites(.default)

            store = try await stage.reopen(store, capacity: 3)
            let feed = FeedRecorder(store)
            var kept = before
            kept.capacity = 3
            try expect(try await store.favorites(.default), kept, "the list after its capacity was lowered")
            try expect(try await store.lists(prefix: "longer", after: nil, limit: 1).map(\.ids), [[1, 2, 3, 4, 5]])
            try expect(try await store.answer(5, .saved).revision, 5, "already saved favorites")
            try expect(try await store.answer(1, .removed).evicted, [], "a removal")
            try expect(try await store.ids(), [2, 3, 4, 5], "after a removal")
            try expect(try await store.answer(6).evicted.map(\.character.id), [2, 3], "a save evicts down to it")
            try expect(try await store.ids(), [4, 5, 6])
            try expect(feed.changes().last?.evicted.map(\.character.id), [2, 3], "the feed")
            try expect(try await store.allChanges().map(\.revision), Array(1...7), "the log")
            try expect(try await store.answer(2, on: shorter).evicted, [], "a list that is short enough")
            try expect(try await store.delete(longer).revision, 6)
            try expect(try await store.allChanges(of: longer, after: 5).first?.cleared.count, 5, "a deletion")

            store = try await stage.reopen(store, capacity: 4)
            try expect(try await store.ids(), [4, 5, 6], "after it was raised")
            try expect(try await store.answer(7).evicted, [])
        },
        FavoritesContract("the oldest changes are deleted, and the smallest revision that works is named") { stage in
            let store = try await stage.make(Limits(changesPerList: 3))
            for id: Int64 in 1...10 { try await store.answer(id) }
            try expect(try await store.changes(of: .default, after: 6, limit: 10), .compacted(oldest: 7))
            try expect(try await store.allChanges(after: 7).map(\.revision), [8, 9, 10])
        },
        FavoritesContract("answers stay when the wall clock jumps, regardless of their number") { stage in
            let store = try await stage.make(Limits(answers: 2))
            let other = try ListName(valid: "other")
            let toggle = try await store.answer(1, request: "toggle")
            let deletion = try await store.delete(other, request: RequestKey(RequestID("deletion")))
            let week: Int64 = 7 * 24 * 60 * 60
            for interval in [week + 1, -2 * week, week] {
                stage.clock.advance(by: interval)
                // Each store deletes old answers after it has written some.
                try await withThrowingTaskGroup { group in
                    for number in 1...200 {
                        group.addTask {
                            try await store.answer(1, on: other, .removed, request: "\(interval) \(number)")
                        }
                    }
                    try await group.waitForAll()
                }
                try await store.answer(2)
                try expect(try await store.answer(1, request: "toggle"), toggle, "after a jump of \(interval) s")
                let again = try await store.delete(other, request: RequestKey(RequestID("deletion")))
                try expect(again, deletion, "after a jump of \(interval) s")
            }
        },
    ]
}
