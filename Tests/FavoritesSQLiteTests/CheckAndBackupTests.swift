internal import ChildProcesses
internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// The programs beside the server.
@Suite(.temporaryFolder) struct CheckAndBackupTests {
    @discardableResult
    private func makeStore(closed: Bool = true) async throws -> SQLiteFavoritesStore {
        let store = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 1...7 { try await store.toggle(id, request: "r-\(id)") }
        try await store.toggle(7)
        try await store.toggle(1, on: list("other"))
        if closed { await store.close() }
        return store
    }

    @Test(arguments: [true, false]) func aWholeStoreIsWholeAlsoWhileAServerHasIt(closed: Bool) async throws {
        let store = try await makeStore(closed: closed)
        let report = try StoreCheck.check(path)
        #expect(report.problems == [])
        #expect((report.listCount, report.favoriteCount, report.changeCount) == (2, 5, 9))
        #expect((report.answerCount, report.longestList, report.schemaVersion) == (7, 4, StoreSchema.version))
        if !closed {
            try await store.toggle(8)
            await store.close()
        }
    }

    @Test func aListLongerThanTheCapacityIsFound() async throws {
        try await makeStore()
        #expect(try StoreCheck.check(path, capacity: 4).isWhole)
        #expect(try StoreCheck.check(path, capacity: 3).problems == ["a list has 4 favorites, maximum is 3"])
    }

    @Test func aCheckChangesNothing() async throws {
        try await makeStore()
        let before = try Data(contentsOf: URL(filePath: path))
        _ = try StoreCheck.check(path)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test(arguments: [nil, Data(), Data("notes".utf8)]) func anInvalidStoreIsRefused(_ contents: Data?) async throws {
        try contents?.write(to: URL(filePath: path))
        #expect(throws: FavoritesStoreOpenError.self) { try StoreCheck.check(path) }
        #expect(FileManager.default.contents(atPath: path) == contents)
    }

    /// The copy of the day before may be the only one that has them.
    @Test(arguments: [true, false]) func aStoreThatLacksChangesIsNotCopied(hasWitness: Bool) async throws {
        let store = try await makeStore(closed: false)
        let (old, copy) = ("\(folder)/old.db", "\(folder)/copy.db")
        try store.database.sync { db in _ = try db.checkpoint(.truncate) }
        try FileManager.default.copyItem(atPath: path, toPath: old)
        _ = try StoreBackup.copy(path, to: copy)
        let before = FileManager.default.contents(atPath: copy)
        try await store.toggle(8)
        await store.close()
        if hasWitness { try FileManager.default.copyItem(atPath: path + ".witness", toPath: old + ".witness") }
        func refusal() -> String? {
            #expect(throws: FavoritesStoreOpenError.self) { try StoreBackup.copy(old, to: copy, overwriting: true) }?
                .message
        }
        #expect(refusal()?.contains("may lack acknowledged changes") == true)
        let opened = try SQLiteFavoritesStore(path: old)
        #expect(refusal()?.contains("check \(old) --acknowledge") == true, "a server has found the loss")
        await opened.close()
        #expect(FileManager.default.contents(atPath: copy) == before)
        _ = try StoreCheck.check(old, acknowledging: true)
        #expect(try StoreBackup.copy(old, to: copy, overwriting: true).favoriteCount == 5)
    }

    @Test func aBackupOfARunningServersStoreOpensAsOne() async throws {
        let store = try await makeStore(closed: false)
        let copy = "\(folder)/copy.db"
        let report = try StoreBackup.copy(path, to: copy)
        #expect((report.favoriteCount, report.changeCount) == (5, 9))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.filter { $0.contains("partial") } == [])
        try await store.toggle(9)
        await store.close()

        let copied = try SQLiteFavoritesStore(path: copy)
        #expect(copied.openingReport.problems == [])
        #expect(try await copied.ids() == [3, 4, 5, 6])
        #expect(try await copied.toggle(7, request: "r-7").revision == 7)
        await copied.close()
    }

    @Test func aBackupWhileTogglesContinueIsOfOneMoment() async throws {
        let store = try await makeStore(closed: false)
        let toggles = Task {
            for id: Int64 in 1...300 { try await store.toggle(id % 9 + 1, request: "more-\(id)") }
        }
        for number in 1...5 { #expect(try StoreBackup.copy(path, to: "\(folder)/copy-\(number).db").isWhole) }
        try await toggles.value
        await store.close()
    }

    @Test func aBackupReplacesNothingUnlessTold() async throws {
        try await makeStore()
        let copy = "\(folder)/copy.db"
        try Data("precious".utf8).write(to: URL(filePath: copy))
        let error = #expect(throws: FavoritesStoreOpenError.self) { try StoreBackup.copy(path, to: copy) }
        #expect(error?.message == "\(copy) already exists and was not replaced: use --overwrite")
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data("precious".utf8))
        #expect(try StoreBackup.copy(path, to: copy, overwriting: true).favoriteCount == 5)
        #expect(try StoreCheck.check(copy).isWhole)
    }

    @Test func aStoreIsNotCopiedOverItself() async throws {
        try await makeStore()
        let link = "\(folder)/link.db"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(throws: FavoritesStoreOpenError.self) { try StoreBackup.copy(path, to: link, overwriting: true) }
        #expect(try StoreCheck.check(path).isWhole)
    }

    @Test func aBrokenStoreIsNotCopied() async throws {
        try await makeStore()
        try await change(path, "DELETE FROM changes WHERE revision = 4")
        let error = #expect(throws: FavoritesStoreOpenError.self) {
            try StoreBackup.copy(path, to: "\(folder)/copy.db")
        }
        #expect(error?.message.contains("list default: change 4 is missing") == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.filter { $0.contains("copy") } == [])
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aBackupThatDoesNotFitLeavesNothing() async throws {
        try await makeStore()
        try await SmallDisk.with(kibibytes: 16) { small in
            let error = #expect(throws: FavoritesStoreOpenError.self) {
                try StoreBackup.copy(path, to: "\(small)/copy.db")
            }
            #expect(error?.message.hasPrefix("cannot copy") == true)
            let left = try FileManager.default.contentsOfDirectory(atPath: small)
            #expect(left == [])
        }
    }
}
