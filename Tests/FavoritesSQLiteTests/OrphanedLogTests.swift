internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// A store is gone or empty, and its log or journal is full. SQLite deletes the log of an empty file.
@Suite(.temporaryFolder) struct OrphanedLogTests {
    enum Loss: CaseIterable {
        case removed, truncated, oneByte
    }

    @Test(arguments: Loss.allCases, ["-wal", "-journal"])
    func aStoreThatIsGoneIsNotRecreatedBesideItsLog(_ loss: Loss, _ suffix: String) async throws {
        let log = try await makeFullLog(suffix, path: path)
        try lose(path, loss)
        let before = try contents(folder)

        let refusals = [
            openError(path), #expect(throws: FavoritesStoreOpenError.self) { try StoreCheck.check(path) },
            #expect(throws: FavoritesStoreOpenError.self) { try StoreBackup.copy(path, to: "\(folder)/copy.db") },
        ]
        for refusal in refusals {
            let refusal = try #require(refusal)
            #expect(refusal.message.contains(path))
            if loss != .oneByte { #expect(refusal.message.contains(log), "\(refusal)") }
        }
        #expect(try contents(folder) == before)
    }

    @Test func aCopyIsNotOpenedBesideTheLogOfTheStoreBefore() async throws {
        let copy = "\(folder)/copy.db"
        _ = try await makeFullLog("-wal", path: "\(folder)/other.db")
        try await makeStore(saving: 1)
        _ = try StoreBackup.copy(path, to: copy)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        try? FileManager.default.removeItem(atPath: path + "-wal")
        try FileManager.default.copyItem(atPath: "\(folder)/other.db-wal", toPath: path + "-wal")
        let before = try contents(folder)
        let refusal = try #require(openError(path))
        #expect(refusal.message.contains("move \(path)-wal away"), "\(refusal)")
        #expect(try contents(folder) == before)
        try FileManager.default.removeItem(atPath: path + "-wal")
        #expect(openError(path) == nil)
    }

    @Test func aStoreThatWasMovedAwayAndPutBackHasAll() async throws {
        let store = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 1...3 { try await store.toggle(id) }
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        await #expect(throws: StoreError.self) { try await store.toggle(4) }
        await store.close()

        let refusal = try #require(openError(path))
        #expect(refusal.message.contains(path + "-wal"), "\(refusal)")
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        let again = try SQLiteFavoritesStore(path: path)
        #expect(again.openingReport.problems == [])
        #expect(try await again.ids() == [1, 2, 3])
        await again.close()
    }

    /// Its log was copied into the file before it left: only the witness knows.
    @Test(arguments: [Loss.removed, .truncated])
    func aStoreThatIsGoneIsNotRecreatedBesideItsWitness(_ loss: Loss) async throws {
        try await makeStore(saving: 1)
        try lose(path, loss)
        let refusal = try #require(openError(path))
        #expect(refusal.message.contains(path + ".witness"), "\(refusal)")
        try FileManager.default.removeItem(atPath: path + ".witness")
        #expect(openError(path) == nil)
    }

    /// Another program changed the store without its log, and was killed meanwhile.
    @Test func aJournalThatIsNotOursIsNamed() async throws {
        try await makeStore(saving: 1)
        try journal(pageCount: 7).write(to: URL(filePath: path + "-journal"))
        let before = try contents(folder)
        let checkError = #expect(throws: FavoritesStoreOpenError.self) { try StoreCheck.check(path) }
        for refusal in [openError(path), checkError] {
            #expect(refusal?.message.contains(path + "-journal") == true, "\(String(describing: refusal))")
        }
        #expect(try contents(folder) == before)
    }

    /// The store was put there while the journal of a first start that was killed lay beside it: it would be emptied.
    @Test func theJournalOfAFirstStartDoesNotEmptyAStore() async throws {
        try await makeStore(saving: 1)
        try journal(pageCount: 0).write(to: URL(filePath: path + "-journal"))
        #expect(openError(path)?.message.contains(path + "-journal") == true)
        try FileManager.default.removeItem(atPath: path + "-journal")
        let again = try SQLiteFavoritesStore(path: path)
        #expect(try await again.ids() == [1])
        await again.close()
    }

    @Test(arguments: ["", "-wal", "-journal"]) func anEmptyFileBesideIsNothing(_ suffix: String) async throws {
        try Data().write(to: URL(filePath: path + suffix))
        #expect(openError(path) == nil)
    }

    // MARK: Making

    /// A store with a full log, as a kill leaves it, or with a journal of another program.
    ///
    /// - Returns: The path of the log or the journal.
    private func makeFullLog(_ suffix: String, path: String) async throws -> String {
        let original = path + "-original"
        let store = try SQLiteFavoritesStore(path: original)
        for id: Int64 in 1...3 { try await store.toggle(id) }
        for part in suffix == "-wal" ? ["", "-wal"] : [""] {
            try FileManager.default.copyItem(atPath: original + part, toPath: path + part)
        }
        if suffix == "-journal" { try journal(pageCount: 7).write(to: URL(filePath: path + suffix)) }
        await store.close()
        return path + suffix
    }

    /// A rollback journal that is hot: one page of 4,096 bytes is to be written back.
    private func journal(pageCount: UInt32) -> Data {
        var bytes = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        for number: UInt32 in [1, 7, pageCount, 512, 4_096] {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes + Data(count: 512 - bytes.count) + Data(count: 4_104)
    }

    private func lose(_ path: String, _ loss: Loss) throws {
        try FileManager.default.removeItem(atPath: path)
        switch loss {
        case .removed: break
        case .truncated: try Data().write(to: URL(filePath: path))
        case .oneByte: try Data([0]).write(to: URL(filePath: path))
        }
    }

    private func contents(_ folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try names.reduce(into: [:]) { $0[$1] = try Data(contentsOf: URL(filePath: "\(folder)/\($1)")) }
    }
}
