internal import MarvelDomain

extension FavoritesContract {
    // MARK: Lists

    static let lists = [
        FavoritesContract("an unknown list is empty") { stage in
            let store = try await stage.make(5, 100)
            let list = try await store.favorites(.default)
            try expect(list, FavoritesList(favorites: [], revision: 0, capacity: 5))
            try expect(try await store.snapshot(of: .default), ListSnapshot(list, in: store.history))
        },
        FavoritesContract("favorites stay in the order of their saving") { stage in
            let store = try await stage.make(5, 100)
            // Whatever the clock says.
            for id: Int64 in [3, 1, 2, 1, 1] {
                try await store.answer(id)
                stage.clock.advance(by: -3_600)
            }
            try expect(try await store.ids(), [3, 2, 1])
            try expect(try await store.favorites(.default).revision, 5)
        },
        FavoritesContract("lists are independent, and names are case-sensitive") { stage in
            let store = try await stage.make(5, 100)
            let (lower, upper) = (try ListName(valid: "avengers"), try ListName(valid: "Avengers"))
            try await store.answer(1, on: lower)
            try await store.answer(2, on: upper)
            try expect(try await store.ids(lower), [1])
            try expect(try await store.ids(upper), [2])
            try expect(try await store.favorites(upper).revision, 1)
        },
        FavoritesContract("a full list evicts its oldest favorite, and the answer names it") { stage in
            let store = try await stage.make(2, 100)
            for id: Int64 in [1, 2] { try await store.answer(id) }
            let answer = try await store.answer(3)
            try expect(answer.evicted.map(\.character), [character(1)])
            try expect(try await store.ids(), [2, 3])
        },
        FavoritesContract("a toggle without effect keeps the revision") { stage in
            let store = try await stage.make(5, 100)
            try await store.answer(1, .saved)
            let (saved, removed) = (try await store.answer(1, .saved), try await store.answer(2, .removed))
            try expect([saved.isFavorite, removed.isFavorite], [true, false])
            try expect([saved.revision, removed.revision], [1, 1])
            try expect(try await store.allChanges().count, 1, "changes")
        },
        FavoritesContract("a save without its snapshot changes nothing") { stage in
            let store = try await stage.make(5, 100)
            let toggle = Toggle(list: .default, characterID: 1)
            try expect(try await store.toggle(toggle, character: nil), .characterNeeded)
            try expect(try await store.toggle(toggle, character: character(2)), .characterNeeded, "of another one")
            try expect(try await store.favorites(.default).revision, 0)
        },
        FavoritesContract("the number of lists is limited") { stage in
            let store = try await stage.make(5, 2)
            let (second, third) = (try ListName(valid: "second"), try ListName(valid: "third"))
            try await store.answer(1)
            try await store.answer(1, on: second)
            try await expect(.listLimitReached(maximum: 2), "a third list") { try await store.answer(1, on: third) }
            try await store.answer(2, on: second)
            try expect(
                try await store.answer(1, on: third, .removed).revision,
                0,
                "a removal without effect creates no list"
            )
        },
    ]

    // MARK: Requests

    static let requests = [
        FavoritesContract("a repeated request gets its answer again") { stage in
            let store = try await stage.make(1, 100)
            try await store.answer(1)
            let first = try await store.answer(2, request: "r-1")
            try expect(first.place, FavoritesPlace(list: .default, history: store.history, revision: 2))
            try await store.answer(3)
            try expect(try await store.answer(2, request: "r-1"), first)
            try expect(try await store.ids(), [3])
        },
        FavoritesContract("the answer to a request without effect is stored too") { stage in
            let store = try await stage.make(5, 100)
            let first = try await store.answer(1, .removed, request: "r-1")
            try await store.answer(1, .saved)
            try expect(try await store.answer(1, .removed, request: "r-1"), first)
            try expect(try await store.ids(), [1])
        },
        FavoritesContract("a request id is for one request") { stage in
            let store = try await stage.make(5, 100)
            try await store.answer(1, request: "r-1")
            let other = try ListName(valid: "other")
            for (id, list, desired) in [(2, .default, .toggle), (1, other, .toggle), (1, .default, .saved)]
                as [(Int64, ListName, Toggle.Desired)]
            {
                try await expect(.requestIDReused, "another request") {
                    try await store.answer(id, on: list, desired, request: "r-1")
                }
            }
            try expect(try await store.ids(), [1])
        },
        FavoritesContract("the same request id of two principals is two requests") { stage in
            let store = try await stage.make(5, 100)
            let first = try await store.answer(1, .saved, request: "r-1", of: "anna")
            let second = try await store.answer(2, .saved, request: "r-1", of: "berta")
            let third = try await store.answer(3, .saved, request: "r-1")
            try expect([first, second, third].map(\.revision), [1, 2, 3])
            try expect(try await store.answer(1, .saved, request: "r-1", of: "anna"), first)
            try expect(try await store.answer(2, .saved, request: "r-1", of: "berta"), second)
            try expect(try await store.answer(3, .saved, request: "r-1"), third)
            try await expect(.requestIDReused, "another request of the same principal") {
                try await store.answer(2, .saved, request: "r-1", of: "anna")
            }
            try expect(try await store.ids(), [1, 2, 3])
            let key = RequestKey(RequestID("r-2"), of: "anna")
            let deletion = try await store.delete(.default, request: key, deadline: nil)
            try await store.answer(4, .saved, request: "r-2", of: "berta")
            try expect(try await store.delete(.default, request: key, deadline: nil), deletion)
            try expect(try await store.ids(), [4])
        },
        FavoritesContract("a request that needs its snapshot is not answered yet") { stage in
            let store = try await stage.make(5, 100)
            let toggle = Toggle(list: .default, characterID: 1, request: RequestKey(RequestID("r-1")))
            try expect(try await store.toggle(toggle, character: nil), .characterNeeded)
            try expect(try await store.answer(1, request: "r-1").revision, 1)
        },
    ]

    // MARK: Changes

    static let changes = [
        FavoritesContract("changes name the saved, removed and evicted favorites, without gaps") { stage in
            let store = try await stage.make(2, 100)
            for id: Int64 in [1, 2, 3, 2] { try await store.answer(id) }
            let changes = try await store.allChanges()
            try expect(changes.map(\.revision), [1, 2, 3, 4])
            try expect(changes.map(\.saved?.character.id), [1, 2, 3, nil])
            try expect(changes.map { $0.evicted.map(\.character.id) }, [[], [], [1], []])
            try expect(changes.map(\.removed?.character.id), [nil, nil, nil, 2])
        },
        FavoritesContract("changes are returned from the oldest, up to the requested number") { stage in
            let store = try await stage.make(5, 100)
            for id: Int64 in 1...5 { try await store.answer(id) }
            guard case .changes(let some) = try await store.changes(of: .default, after: 1, limit: 2) else {
                throw ContractViolation(description: "changes exist")
            }
            try expect(some.map(\.revision), [2, 3])
            try expect(try await store.changes(of: .default, after: 5, limit: 2), .changes([]))
            try expect(try await store.changes(of: .default, after: 6, limit: 2), .ahead(current: 5))
            let unknown = try ListName(valid: "unknown")
            try expect(try await store.changes(of: unknown, after: 0, limit: 2), .changes([]))
            try expect(try await store.changes(of: unknown, after: 1, limit: 2), .ahead(current: 0))
        },
    ]

    // MARK: The feed

    static let feed = [
        FavoritesContract("a change is in the feed and in reads when its caller is answered") { stage in
            let store = try await stage.make(2, 100)
            let feed = FeedRecorder(store)
            try await store.answer(1)
            try expect(feed.revisions(), [1])
            try await store.answer(1, .saved)
            try expect(feed.revisions(), [1], "no event without a change")
            try await store.answer(2)
            try await store.answer(3)
            try expect(feed.revisions(), [1, 2, 3])
            try expect(feed.changes().map { $0.evicted.map(\.character.id) }, [[], [], [1]], "evictions")
            _ = try await store.delete(.default)
            try expect(feed.changes().last?.isDeletion, true)
            try expect(feed.revisions(), [1, 2, 3, 4])
            try expect(feed.changes(), try await store.allChanges(), "the feed and the log")
        }
    ]

    // MARK: Names

    static let names = [
        FavoritesContract("lists are returned in byte order, one page at a time") { stage in
            let store = try await stage.make(2, 100)
            for name in ["b", "a.2", "A", "a.1", "_", "gone", "a"] {
                let list = try ListName(valid: name)
                for id: Int64 in [3, 1, 2] { try await store.answer(id, on: list) }
            }
            _ = try await store.delete(try ListName(valid: "gone"))
            let all = try await store.lists(prefix: "", after: nil, limit: 100)
            try expect(all.map(\.name.text), ["A", "_", "a", "a.1", "a.2", "b"])
            try expect(Set(all.map(\.revision)), [3])
            try expect(Set(all.map(\.ids)), [[1, 2]], "the ids, oldest first")
            let (page, rest) = (
                try await store.lists(prefix: "a", after: nil, limit: 2),
                try await store.lists(prefix: "a", after: try ListName(valid: "a.1"), limit: 2)
            )
            try expect((page + rest).map(\.name.text), ["a", "a.1", "a.2"])
            try expect(try await store.lists(prefix: "c~", after: nil, limit: 2), [])
        },
        FavoritesContract("an emptied list still exists") { stage in
            let store = try await stage.make(5, 100)
            try await store.answer(1)
            try await store.answer(1, .removed)
            let empty = ListSummary(name: .default, revision: 2, ids: [])
            try expect(try await store.lists(prefix: "", after: nil, limit: 2), [empty])
        },
    ]

    // MARK: Deletions

    static let deletions = [
        FavoritesContract("a deletion is one change that names all favorites of the list") { stage in
            let store = try await stage.make(5, 100)
            for id: Int64 in [1, 2] { try await store.answer(id) }
            let place = FavoritesPlace(list: .default, history: store.history, revision: 3)
            let deletion = ListDeletion(revision: 3, existed: true, place: place)
            try expect(try await store.delete(.default), deletion)
            try expect(try await store.ids(), [])
            let change = try await store.allChanges(after: 2)
            try expect(change.map(\.isDeletion), [true])
            try expect(change.map { $0.cleared.map(\.character.id) }, [[1, 2]])
            let again = ListDeletion(revision: 3, existed: false, place: place)
            try expect(try await store.delete(.default), again, "again")
        },
        FavoritesContract("a repeated deletion gets its answer and deletes nothing newer") { stage in
            let store = try await stage.make(5, 100)
            let (id, other) = (RequestID("d-1"), try ListName(valid: "other"))
            try await store.answer(1)
            let deletion = try await store.delete(.default, request: RequestKey(id))
            try expect(deletion.existed, true)
            try await store.answer(2)
            try expect(try await store.delete(.default, request: RequestKey(id)), deletion)
            try expect(try await store.ids(), [2])
            let absent = try await store.delete(other, request: RequestKey(RequestID("d-2")))
            try await store.answer(3, on: other)
            try expect(try await store.delete(other, request: RequestKey(RequestID("d-2"))), absent)
            try expect(absent.existed, false)
            try expect(try await store.ids(other), [3])
        },
        FavoritesContract(
            "the request id of a deletion is refused for other requests, and that of a toggle for a deletion"
        ) {
            stage in
            let store = try await stage.make(5, 100)
            let other = try ListName(valid: "other")
            try await store.answer(1, request: "t-1")
            _ = try await store.delete(other, request: RequestKey(RequestID("d-1")))
            try await expect(.requestIDReused, "a toggle with the id of a deletion") {
                try await store.answer(2, request: "d-1")
            }
            try await expect(.requestIDReused, "a deletion with the id of a toggle") {
                _ = try await store.delete(.default, request: RequestKey(RequestID("t-1")))
            }
            try await expect(.requestIDReused, "a deletion of another list") {
                _ = try await store.delete(.default, request: RequestKey(RequestID("d-1")))
            }
            try expect(try await store.ids(), [1])
        },
        FavoritesContract("a recreated list continues the revisions of the deleted one") { stage in
            let store = try await stage.make(5, 1)
            let other = try ListName(valid: "other")
            try await store.answer(1)
            _ = try await store.delete(.default)
            try await store.answer(1, on: other)
            try await expect(.listLimitReached(maximum: 1), "another list took its place") {
                try await store.answer(1)
            }
            _ = try await store.delete(other)
            try expect(try await store.answer(2).revision, 3)
            try expect(try await store.ids(), [2])
            try expect(try await store.allChanges().map(\.revision), [1, 2, 3])
        },
    ]

    // MARK: Concurrency

    static let concurrency = [
        FavoritesContract("concurrent callers get each revision exactly once") { stage in
            let store = try await stage.make(5, 100)
            let feed = FeedRecorder(store)
            let names = try ["a", "b", "c"].map(ListName.init(valid:))
            try await withThrowingTaskGroup { group in
                for number in 0..<120 {
                    group.addTask { try await store.answer(Int64(number / 3 + 1), on: names[number % 3]) }
                }
                try await group.waitForAll()
            }
            for name in names {
                try expect(feed.revisions(of: name), Array(1...40), "the feed of \(name)")
                try expect(try await store.allChanges(of: name).map(\.revision), Array(1...40))
                let empty = FavoritesList(favorites: [], revision: 0, capacity: 5)
                let replayed = try await store.allChanges(of: name).reduce(into: empty) { $0.apply($1) }
                try expect(replayed, try await store.favorites(name))
            }
        }
    ]
}
