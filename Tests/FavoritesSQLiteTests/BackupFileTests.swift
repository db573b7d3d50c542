internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// The files that a backup replaces, and those that it leaves.
@Suite(.temporaryFolder) struct BackupFileTests {
    @Test(arguments: ["-wal", "-journal", "-shm", ".lock", ".witness", ".cache"])
    func aStoresOwnFilesAreNotReplaced(_ suffix: String) async throws {
        let store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(1)
        let link = "\(folder)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path + suffix)
        let before = try files(in: folder)
        for target in [path + suffix, link] {
            let error = #expect(throws: FavoritesStoreOpenError.self) {
                try StoreBackup.copy(path, to: target, overwriting: true)
            }
            #expect(error?.message.contains("is a file of the store \(path)") == true)
        }
        #expect(try files(in: folder) == before)
        try await store.toggle(2)
        await store.close()
        #expect(try StoreCheck.check(path).favoriteCount == 2)
    }

    @Test func theNextBackupRemovesTheFilesOfAKilledOne() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(1)
        await store.close()
        let whole = try Data(contentsOf: URL(filePath: path))
        let left = ["monday.db.partial-1": whole, "copy.db.partial-22": Data(), "x.partial-3": Data(count: 4_096)]
        let others = ["film.partial-4": Data("film".utf8), "x.partial-": Data(), "x.partial-5a": Data()]
        for (name, contents) in left.merging(others, uniquingKeysWith: { first, _ in first }) {
            try contents.write(to: URL(filePath: "\(folder)/\(name)"))
        }
        let other = try LockedFile("\(folder)/tuesday.db.partial-6", creating: true)
        _ = try StoreBackup.copy(path, to: "\(folder)/copy.db")
        let partial = try files(in: folder).filter { $0.contains("partial") }
        #expect(Set(partial) == Set(others.keys).union(["tuesday.db.partial-6"]))
        other.close()
    }

    @Test func aJournalBesideTheTargetIsNotTakenForTheCopys() async throws {
        await (try SQLiteFavoritesStore(path: path)).close()
        try Data("journal".utf8).write(to: URL(filePath: "\(folder)/copy.db-journal"))
        #expect(throws: FavoritesStoreOpenError.self) { try StoreBackup.copy(path, to: "\(folder)/copy.db") }
    }
}
