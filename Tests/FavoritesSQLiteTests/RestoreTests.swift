internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

@Suite(.temporaryFolder) struct RestoreTests {
    private static let period: Int64 = 1 << 32

    /// Removes a store, and leaves its witness.
    private func removeStore() {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    @Test func aRestoredStoreHasTheCopysContentsInANewHistory() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        let before = try Data(contentsOf: URL(filePath: copy))
        removeStore()
        let report = try StoreRestore.restore(copy, to: path)
        #expect((report.problems, report.favoriteCount) == ([], 5))
        #expect(try Data(contentsOf: URL(filePath: copy)) == before)

        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.problems == [])
        #expect(store.openingReport.renewal == nil, "the history began with the restore")
        #expect(store.history.description == report.history)
        #expect(try await store.ids() == [1, 2, 3, 4, 5])
        #expect(try await store.favorites(.default).revision == Self.period)
        #expect(try await store.toggle(3, request: "r-3").revision == 3)
        #expect(try await store.toggle(9).revision == Self.period + 1)
        await store.close()

        // A second time: above what the first restore had.
        removeStore()
        _ = try StoreRestore.restore(copy, to: path)
        let again = try SQLiteFavoritesStore(path: path)
        #expect(try await again.favorites(.default).revision == 2 * Self.period)
        await again.close()
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.filter { $0.contains("partial") || $0.contains("restoring") } == [])
    }

    @Test(arguments: ["", "-wal", "-journal"]) func aStoreIsNotReplaced(_ suffix: String) async throws {
        let (copy, _) = try await makeStoreAndCopy()
        if !suffix.isEmpty {
            removeStore()
            try Data(count: 33).write(to: URL(filePath: path + suffix))
        }
        let before = try Data(contentsOf: URL(filePath: path + suffix))
        let error = #expect(throws: FavoritesStoreOpenError.self) { try StoreRestore.restore(copy, to: path) }
        #expect(error?.message == "a store exists at \(path)\(suffix): move its files away first")
        #expect(try Data(contentsOf: URL(filePath: path + suffix)) == before)
    }

    /// A reader of a store that no server has open leaves an empty log beside it.
    @Test func aStoreMayBeMovedAwayAfterACheck() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        _ = try StoreCheck.check(path)
        try FileManager.default.moveItem(atPath: path, toPath: "\(folder)/old.db")
        #expect(try StoreRestore.restore(copy, to: path).favoriteCount == 5)
        let store = try SQLiteFavoritesStore(path: path)
        #expect(try await store.ids() == [1, 2, 3, 4, 5])
        await store.close()
    }

    @Test func aCopyThatIsBrokenOrNoneMakesNoStore() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        try await change(copy, "DELETE FROM changes WHERE revision = 3")
        try Data("notes".utf8).write(to: URL(filePath: "\(folder)/notes.db"))
        let store = "\(folder)/restored.db"
        for (copy, reason) in [
            (copy, "failed its check"), ("\(folder)/notes.db", "is not a favorites store"),
            ("\(folder)/absent.db", "no copy at"), (store, "no copy at"),
        ] {
            let error = #expect(throws: FavoritesStoreOpenError.self) { try StoreRestore.restore(copy, to: store) }
            #expect(error?.message.contains(reason) == true, "\(copy)")
            #expect(!FileManager.default.fileExists(atPath: store))
        }
        let error = #expect(throws: FavoritesStoreOpenError.self) { try StoreRestore.restore(path, to: path) }
        #expect(error?.message == "\(path) is the store itself")
    }
}
