internal import Foundation
internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

/// Two servers meet one store by other names. The lock is on the file, not on its name.
@Suite(.temporaryFolder) struct LockTests {
    @Test func aDanglingLinkAndItsTargetAreOneStore() async throws {
        let link = "\(folder)/link.db"
        // Two links, one of them relative, before there is a file.
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/inner.db",
            withDestinationPath: "favorites.db"
        )
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(folder)/inner.db")
        let first = try SQLiteFavoritesStore(path: link)
        #expect(FileManager.default.fileExists(atPath: path + ".lock"))
        #expect(openError(path)?.message.contains("pid \(getpid())") == true)
        await first.close()
    }

    @Test func aStoreWhoseLockFileWasRemovedIsStillLocked() async throws {
        let first = try SQLiteFavoritesStore(path: path)
        try FileManager.default.removeItem(atPath: path + ".lock")
        #expect(openError(path)?.message.contains("is already in use") == true)
        await first.close()
        #expect(openError(path) == nil)
    }

    @Test(arguments: [false, true]) func aHardLinkIsRefused(whileOpen: Bool) async throws {
        let other = "\(folder)/other.db"
        let first = try SQLiteFavoritesStore(path: path)
        try await first.toggle(1)
        if !whileOpen { await first.close() }
        try FileManager.default.linkItem(atPath: path, toPath: other)
        let refusal = try #require(openError(other))
        #expect(refusal.message.contains("2 names"), "\(refusal)")
        #expect(try files(in: folder).filter { $0.hasPrefix("other") } == ["other.db"])
        if whileOpen {
            try await first.toggle(2)
            await first.close()
        }
        #expect(openError(path)?.message.contains("2 names") == true)
        try FileManager.default.removeItem(atPath: other)
        #expect(openError(path) == nil)
    }

    @Test func aRefusedPathLeavesNoLockFile() async throws {
        let path = "\(folder)/notes.txt"
        try Data(String(repeating: "These are notes, no database.\n", count: 100).utf8).write(
            to: URL(filePath: path)
        )
        #expect(openError(path)?.message.contains("is not a favorites store") == true)
        #expect(openError(folder)?.message.contains("is not a regular file") == true)
        #expect(try files(in: folder) == ["notes.txt"])
        #expect(!FileManager.default.fileExists(atPath: folder + ".lock"))
    }

    @Test func theFilesOfAStoreAreTheirOwnersAlone() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        try await store.toggle(1)
        _ = try StoreBackup.copy(path, to: "\(folder)/copy.db")
        try expectPrivate(folder, names: ["", "-wal", "-shm", ".lock", ".witness"].map { "favorites.db" + $0 })
        await store.close()

        // Files that an earlier version made.
        for name in try files(in: folder) { chmod("\(folder)/\(name)", 0o644) }
        let again = try SQLiteFavoritesStore(path: path)
        try await again.toggle(2)
        _ = try StoreBackup.copy(path, to: "\(folder)/copy.db", overwriting: true)
        try expectPrivate(folder, names: ["", "-wal", "-shm", ".lock", ".witness"].map { "favorites.db" + $0 })
        await again.close()
    }

    private func expectPrivate(_ folder: String, names: [String]) throws {
        #expect(Set(try files(in: folder)).isSuperset(of: names))
        for name in try files(in: folder) {
            var file = stat()
            #expect(stat("\(folder)/\(name)", &file) == 0)
            #expect(file.st_mode & 0o777 == 0o600, "\(name)")
        }
    }
}
