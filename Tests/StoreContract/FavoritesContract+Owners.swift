internal import MarvelDomain

/// The lists that callers own. The stores of these cases have the quota that `ListRules` begins with.
extension FavoritesContract {
    static let owners = [
        FavoritesContract("an owner has at most its quota of lists, and others are not affected") { stage in
            let store = try await stage.make(5, 1_000)
            let names = try await fill(store, of: "anna")
            let (more, other) = (try ListName(valid: "more"), try ListName(valid: "other"))
            try await expect(.ownedListLimitReached(maximum: quota), "one more list") {
                try await store.answer(1, on: more, of: "anna")
            }
            try expect(try await store.favorites(more).revision, 0, "the list that was refused")
            try expect(try await store.answer(1, on: more, .removed, of: "anna").revision, 0, "nothing to remove")
            try expect(try await store.answer(2, on: names[0], of: "anna").revision, 2, "an existing list")
            try expect(try await store.answer(1, on: more, of: "berta").revision, 1, "another owner")
            try expect(try await store.answer(2, on: more, of: "anna").revision, 2, "another owner's list")
            try expect(try await store.answer(1, on: other).revision, 1, "a caller without a quota")
        },
        FavoritesContract("an anonymous caller without a quota creates no list") { stage in
            let store = try await stage.make(5, 100)
            try await expect(.ownedListLimitReached(maximum: 0), "a list of a stranger") {
                try await store.answer(1, owner: .stranger)
            }
            try await store.answer(1)
            try expect(try await store.answer(2, owner: .stranger).revision, 2, "an existing list")
        },
        FavoritesContract("a deletion frees the quota, and a recreated list belongs to its creator") { stage in
            let store = try await stage.make(5, 1_000)
            let names = try await fill(store, of: "anna")
            let (more, last) = (try ListName(valid: "more"), try ListName(valid: "last"))
            _ = try await store.delete(names[0])
            try expect(try await store.answer(1, on: names[0], of: "berta").revision, 3, "made again by another")
            try await store.answer(1, on: more, of: "anna")
            try await expect(.ownedListLimitReached(maximum: quota), "the place is taken") {
                try await store.answer(1, on: last, of: "anna")
            }
            // It is berta's: its deletion gives anna nothing.
            _ = try await store.delete(names[0])
            try await expect(.ownedListLimitReached(maximum: quota), "another owner's list was deleted") {
                try await store.answer(1, on: last, of: "anna")
            }
            _ = try await store.delete(more)
            try expect(try await store.answer(1, on: names[0], of: "anna").revision, 5, "made again by anna")
            try await expect(.ownedListLimitReached(maximum: quota), "the place is taken again") {
                try await store.answer(1, on: last, of: "anna")
            }
        },
        FavoritesContract("a list stays with its owner, whoever changes or empties it") { stage in
            let store = try await stage.make(5, 1_000)
            let names = try await fill(store, of: "anna")
            try await store.answer(1, on: names[0], .removed, of: "berta")
            try await store.answer(2, on: names[0], of: "berta")
            try await store.answer(3, on: names[1])
            try await expect(.ownedListLimitReached(maximum: quota), "one more list") {
                try await store.answer(1, of: "anna")
            }
        },
        FavoritesContract("a repeated request that created a list gets its answer, also without quota left") {
            stage in
            let store = try await stage.make(5, 1_000)
            let first = try await store.answer(1, request: "r-1", of: "anna")
            _ = try await fill(store, of: "anna", count: quota - 1)
            try expect(try await store.answer(1, request: "r-1", of: "anna"), first)
            try await expect(.ownedListLimitReached(maximum: quota), "one more list") {
                try await store.answer(1, on: try ListName(valid: "more"), request: "r-2", of: "anna")
            }
            _ = try await store.delete(.default)
            let second = try await store.answer(1, on: try ListName(valid: "more"), request: "r-2", of: "anna")
            try expect(second.revision, 1, "a refused request, sent again")
        },
        FavoritesContract("concurrent toggles create no more lists than the quota") { stage in
            let store = try await stage.make(5, 1_000)
            let made = try await withThrowingTaskGroup { group in
                for number in 1...(quota + 20) {
                    group.addTask {
                        do {
                            try await store.answer(1, on: try ListName(valid: "l\(number)"), of: "anna")
                            return 1
                        } catch StoreError.ownedListLimitReached {
                            return 0
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(made, quota, "lists that were made")
        },
    ]

    private static let quota = ListRules().maximumListsPerOwner

    /// Makes as many lists as an owner may have.
    ///
    /// - Returns: Their names.
    private static func fill(
        _ store: any FavoritesStore,
        of owner: String,
        count: Int = quota
    ) async throws -> [ListName] {
        let names = try (1...count).map { try ListName(valid: "\(owner)-\($0)") }
        for name in names { try await store.answer(1, on: name, of: owner) }
        return names
    }
}
