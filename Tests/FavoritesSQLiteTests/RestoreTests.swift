internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

@Suite(.temporaryFolder) struct RestoreTests {
    private static let period: Int64 = 1 << 32

    @Test func aRestoredStoreHasTheCopysContentsInANewHistory() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        let before = try Data(contentsOf: URL(filePath: copy))
        let report = try StoreRestore.restore(copy, to: path, overwriting: true)
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
        _ = try StoreRestore.restore(copy, to: path, overwriting: true)
        let again = try SQLiteFavoritesStore(path: path)
        #expect(try await again.favorites(.default).revision == 2 * Self.period)
        await again.close()
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.filter { $0.contains("partial") || $0.contains("restoring") } == [])
    }

    /// Its log cannot be copied into its file, so its files are renamed, and removed when the new store is in its place.
    @Test func aDamagedStoreIsReplacedToo() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        try Data(repeating: 0xA5, count: 8_192).write(to: URL(filePath: path))
        try Data(repeating: 0xA5, count: 8_192).write(to: URL(filePath: path + "-wal"))
        _ = try StoreRestore.restore(copy, to: path, overwriting: true)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.filter { $0.contains(StoreReplacement.suffix) || $0.hasSuffix("-wal") } == [])
        let store = try SQLiteFavoritesStore(path: path)
        #expect(store.openingReport.problems == [])
        #expect(try await store.ids() == [1, 2, 3, 4, 5])
        await store.close()
    }

    /// A restore was killed after it had renamed the old store: no server begins an empty one.
    @Test func anOldStoreThatWasRenamedIsNamed() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        let old = path + StoreReplacement.suffix
        try FileManager.default.moveItem(atPath: path, toPath: old)
        for suffix in [".witness", "-wal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        let errors = [
            #expect(throws: FavoritesStoreOpenError.self) { try SQLiteFavoritesStore(path: path) },
            #expect(throws: FavoritesStoreOpenError.self) { try StoreCheck.check(path) },
            #expect(throws: FavoritesStoreOpenError.self) { try StoreRestore.restore(copy, to: path) },
        ]
        for error in errors { #expect(error?.message.contains(old) == true, "\(String(describing: error))") }
        _ = try StoreRestore.restore(copy, to: path, overwriting: true)
        #expect(!FileManager.default.fileExists(atPath: old))
        #expect(try StoreCheck.check(path).problems == [])
    }

    /// Two programs with one store would each remove the log of the other.
    @Test func aStoreThatAnotherProgramReadsIsNotReplaced() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        let reader = try StoreConnection.open(path)
        try FileManager.default.removeItem(atPath: path + ".witness")
        let error = #expect(throws: FavoritesStoreOpenError.self) {
            try StoreRestore.restore(copy, to: path, overwriting: true)
        }
        #expect(error?.message.contains("locked") == true, "\(String(describing: error))")
        try reader.close()
        #expect(StoreWitness.record(of: path).isMissing, "the losses of the old store are still reported")
        #expect(try StoreCheck.check(path).losses.count == 1)
        _ = try StoreRestore.restore(copy, to: path, overwriting: true)
    }

    @Test func aStoreThatIsThereIsReplacedOnlyWhenToldTo() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        let error = #expect(throws: FavoritesStoreOpenError.self) { try StoreRestore.restore(copy, to: path) }
        #expect(error?.message.contains("--overwrite") == true)
        let store = try SQLiteFavoritesStore(path: path)
        #expect(try await store.favorites(.default).revision == 8)
        await store.close()
    }

    @Test func aStoreThatAServerHasOpenIsNotReplaced() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        let store = try SQLiteFavoritesStore(path: path)
        let error = #expect(throws: FavoritesStoreOpenError.self) {
            try StoreRestore.restore(copy, to: path, overwriting: true)
        }
        #expect(error?.code == .inUse)
        try await store.toggle(9)
        #expect(try await store.favorites(.default).revision == 9)
        await store.close()
    }

    @Test func aCopyThatIsBrokenOrNoneChangesNothing() async throws {
        let (copy, _) = try await makeStoreAndCopy()
        try await change(copy, "DELETE FROM changes WHERE revision = 3")
        try Data("notes".utf8).write(to: URL(filePath: "\(folder)/notes.db"))
        for (copy, code) in [
            (copy, FavoritesStoreOpenError.Code.damaged), ("\(folder)/notes.db", .notAStore),
            ("\(folder)/absent.db", .notAStore), (path, .invalidSetting),
        ] {
            let error = #expect(throws: FavoritesStoreOpenError.self) {
                try StoreRestore.restore(copy, to: path, overwriting: true)
            }
            #expect(error?.code == code, "\(copy)")
        }
        let store = try SQLiteFavoritesStore(path: path)
        #expect(try await store.favorites(.default).revision == 8)
        await store.close()
    }
}
