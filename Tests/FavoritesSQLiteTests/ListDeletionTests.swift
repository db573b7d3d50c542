internal import Dispatch
internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles
internal import StoreContract
internal import Testing

@testable internal import FavoritesSQLite

/// Lists that are deleted, and names that outlive them.
@Suite(.temporaryFolder) struct ListDeletionTests {
    @Test func aNameThatIsDroppedRaisesTheBaseForAllThatAreNotThere() async throws {
        let store = try SQLiteFavoritesStore.temporary(StoreLimits(maximumLists: 1))
        // The longest-lived first: ten names are kept, and it is the eleventh.
        for id: Int64 in [1, 2, 3] { try await store.toggle(id, on: try list("first")) }
        for name in ["first"] + (1...10).map({ "other-\($0)" }) {
            try await store.toggle(9, on: try list(name))
            _ = try await store.delete(try list(name))
        }
        // Three toggles, the fourth, and the deletion.
        for name in ["first", "never-seen"] {
            #expect(try await store.favorites(try list(name)).revision == 5)
            #expect(try await store.changes(of: try list(name), after: 4, limit: 10) == .compacted(oldest: 5))
        }
        #expect(try await store.favorites(try list("other-1")).revision == 2)
        #expect(try await store.toggle(1, on: try list("first")).revision == 6)
        #expect(try await store.problems() == [])
    }

    @Test func aDroppedNameIsNotALoss() async throws {
        let store = try SQLiteFavoritesStore(path: path, maximumLists: 1)
        for name in (1...12).map({ "list-\($0)" }) {
            try await store.toggle(9, on: try list(name))
            _ = try await store.delete(try list(name))
        }
        await store.close()
        let again = try SQLiteFavoritesStore(path: path, maximumLists: 1)
        #expect(again.openingReport.problems == [])
        #expect(again.openingReport.renewal == nil)
        await again.close()
    }

    /// A commit that dropped all of them could keep the others waiting for seconds.
    @Test func aLoweredLimitDropsNamesOverSeveralCommits() async throws {
        let store = try SQLiteFavoritesStore(path: path, maximumLists: 20)
        for number in 1...100 {
            try await store.toggle(9, on: try list("list-\(number)"))
            _ = try await store.delete(try list("list-\(number)"))
        }
        await store.close()
        let again = try SQLiteFavoritesStore(path: path, maximumLists: 1)
        for count in [36, 10] {
            try await again.toggle(9, on: try list("last"))
            _ = try await again.delete(try list("last"))
            let left = try await again.read { db in
                try db.value("SELECT count(*) FROM lists WHERE deletion IS NOT NULL", as: Int.self)
            }
            #expect(left == count)
        }
        #expect(try await again.problems() == [])
        await again.close()
    }

    @Test func aListCreatedAndDeletedInOneTransactionLeavesOnlyItsName() async throws {
        let store = try SQLiteFavoritesStore.temporary()
        let (kept, gone) = (try list("kept"), try list("gone"))
        let mayGoOn = store.holdWriter()
        var deletions: [Task<Bool, any Error>] = []
        for name in [kept, gone] {
            _ = store.toggle(Toggle(list: name, characterID: 1), character: character(1), deadline: nil) { _ in }
            for _ in 1...2 {
                let waiting = store.driver.waitingCount
                deletions.append(Task { try await store.delete(name).existed })
                await store.untilWaiting(waiting + 1)
            }
        }
        _ = store.toggle(Toggle(list: kept, characterID: 2), character: character(2), deadline: nil) { _ in }
        mayGoOn.signal()
        var existed: [Bool] = []
        for deletion in deletions { existed.append(try await deletion.value) }
        #expect(existed == [true, false, true, false])
        #expect(try await store.ids(kept) == [2])
        #expect(try await store.favorites(kept).revision == 3)
        #expect(try await store.ids(gone) == [])
        #expect(try await store.lists(prefix: "", after: nil, limit: 10).map(\.name.text) == ["kept"])
        #expect(try await store.problems() == [])
    }

    @Test func aListIsDeletedByTheOperator() async throws {
        let store = try SQLiteFavoritesStore(path: path, capacity: 10)
        for id: Int64 in 1...7 { try await store.toggle(id) }
        try await store.toggle(1, on: try list("b"))
        #expect(try exportedLists(path).map(\.favorites.count) == [1, 7])
        #expect(throws: FavoritesStoreOpenError.self) {
            _ = try SQLiteFavoritesStore.forOperator(path) { _ in }
        }
        await store.close()

        let operated = try SQLiteFavoritesStore.forOperator(path) { _ in }
        #expect(try await operated.delete(try list("b")).revision == 2)
        #expect(try await !operated.delete(try list("b")).existed)
        await operated.close()
        // An operator's store does not know the server's limits: the other list keeps all its favorites.
        #expect(try exportedLists(path).map(\.favorites.count) == [7])
        #expect(try StoreCheck.check(path).problems == [])
        #expect(throws: FavoritesStoreOpenError.self) {
            _ = try SQLiteFavoritesStore.forOperator("\(folder)/none") { _ in }
        }
    }
}
