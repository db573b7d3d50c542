internal import ChildProcesses
internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

@Suite(.temporaryFolder) struct OpeningTests {
    @Test func aSecondServerIsRefusedAndToldOfTheFirst() async throws {
        let first = try SQLiteFavoritesStore(path: path, address: "unix:/run/first")
        var refusal = try #require(openError(path))
        #expect(refusal.message.contains("pid \(getpid()) at unix:/run/first:"))

        first.noteAddress("127.0.0.1:6160")
        refusal = try #require(openError(path))
        #expect(refusal.message.contains("pid \(getpid()) at 127.0.0.1:6160:"))

        try await first.toggle(1)
        await first.close()
        #expect(openError(path) == nil)
    }

    @Test func aStoreWithMoreListsThanTheMaximumKeepsThemAndTakesNoNewOne() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        for name in ["a", "b"] { try await store.toggle(1, on: list(name)) }
        await store.close()
        let again = try SQLiteFavoritesStore(path: path, maximumLists: 1)
        #expect(again.openingReport.problems == [])
        for name in ["a", "b"] { try await again.toggle(2, on: list(name)) }
        for name in ["a", "b"] {
            await #expect(throws: StoreError.listLimitReached(maximum: 1)) { try await again.toggle(1, on: list("c")) }
            _ = try await again.delete(list(name))
        }
        try await again.toggle(1, on: list("c"))
        await again.close()
    }

    @Test func aLockFileThatAServerLeftBehindMeansNothing() async throws {
        try Data("pid 1 at 127.0.0.1:1\n".utf8).write(to: URL(filePath: path + ".lock"))
        #expect(openError(path) == nil)
    }

    @Test(arguments: [0, 101, -1])
    func aCapacityOutOfRangeIsRefused(capacity: Int) {
        #expect(throws: FavoritesStoreOpenError.self) { try SQLiteFavoritesStore(path: path, capacity: capacity) }
    }

    @Test func aFolderThatIsNotThereIsNamed() async throws {
        let refusal = try #require(openError("\(folder)/absent/favorites.db"))
        #expect(refusal.message.contains("absent/favorites.db.lock"))
    }

    /// chmod does not stop root, so root needs a file system that is mounted read-only.
    @Test(.enabled(if: SmallDisk.isAvailable), arguments: [false, true])
    func aReadOnlyFolderIsRefused(storeExists: Bool) async throws {
        try await SmallDisk.with(kibibytes: 1024) { folder in
            let path = "\(folder)/favorites.db"
            if storeExists { await (try SQLiteFavoritesStore(path: path)).close() }
            try SmallDisk.makeReadOnly(folder)
            let refusal = try #require(openError(path))
            #expect(refusal.message.contains("Read-only file system"))
        }
    }

    @Test(.enabled(if: getuid() != 0))
    func aFolderWithoutPermissionIsRefused() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        #expect(openError("\(folder)/favorites.db")?.message.contains("cannot be written") == true)
    }
}
