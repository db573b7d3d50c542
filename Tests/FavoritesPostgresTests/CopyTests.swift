internal import FavoritesSQLite
internal import Foundation
internal import MarvelDomain
internal import StoreContract
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// Checks of stores in databases, backups of them, and moves between a file and a database.
@Suite(.needsPostgres) struct CopyTests {
    private let folder: URL
    private func path(_ name: String) -> String { folder.appending(path: name).path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "copy-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func fileStore(_ name: String) throws -> SQLiteFavoritesStore {
        try SQLiteFavoritesStore(path: path(name), capacity: 3)
    }

    @discardableResult
    private func copy(file: String, to address: String, beginsHistory: Bool = false) throws -> StoreReport {
        try StoreFileSource.read(path(file), isStopped: !beginsHistory) { source in
            try DatabaseTarget.write(
                to: DatabaseAddress(address),
                source.facts,
                capacity: 3,
                beginsHistory: beginsHistory
            ) { target in
                try source.forEachRecord(target.write)
            }
        }
    }

    @discardableResult
    private func copy(database address: String, to file: String, isCopy: Bool = false) throws -> StoreReport {
        try DatabaseSource.read(DatabaseAddress(address), isStopped: !isCopy) { source in
            try StoreFileTarget.write(to: path(file), source.facts, isCopy: isCopy) { target in
                try source.forEachRecord(target.write)
            }
        }
    }

    /// The records of a store, without the digests and ids, of which each kind has its own.
    private func records(file: String) throws -> [StoreRecord] {
        try StoreFileSource.read(path(file), isStopped: true) { try $0.plainRecords() }
    }

    private func records(database: String) throws -> [StoreRecord] {
        try DatabaseSource.read(DatabaseAddress(database), isStopped: true) { try $0.plainRecords() }
    }

    /// Fills a store with a random history, with owners, deleted names, answers of several callers, and edits.
    private func fill(_ store: any FavoritesStore, _ edits: any EditStore, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let model = MemoryFavoritesStore(capacity: 3, maximumLists: 100, history: store.history)
        for step in 1...120 { try await RandomStep(step, using: &random).compare(store, with: model) }
        for name in ["anna", "ben"] {
            let id = RequestID("same")
            let toggle = Toggle(
                list: try list("of-\(name)"),
                characterID: 7,
                request: RequestKey(id, of: name),
                owner: .named(name)
            )
            guard case .done = try await store.toggle(toggle, character: character(7), deadline: nil) else {
                throw ServerFailure(description: "not toggled")
            }
        }
        let edit = CharacterEdit(name: "Näme", comicCount: 3, urls: [CharacterURL(type: "wiki", url: "u")])
        let picture = Picture(bytes: [0x89, 1, 255], mediaType: .png)
        for (number, target) in [EditOrder.Target.existing(7), .new(nil)].enumerated() {
            let request = RequestKey(RequestID("edit-\(number)"), of: "anna")
            let order = EditOrder(target, edit, picture: .set(picture), request: request)
            _ = try await edits.write(order) { target == .existing($0) }
        }
        _ = try await edits.write(EditOrder(.reverted(7))) { _ in false }
        _ = try await store.delete(try list("of-ben"), request: RequestKey(RequestID("gone"), of: "ben"), deadline: nil)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func aStoreThatIsMovedToADatabaseAndBackIsTheSame(seed: UInt64) async throws {
        let server = try await PostgresServer.shared()
        let address = try await server.makeDatabase()
        let before = try fileStore("old")
        try await fill(before, before.edits, seed: seed)
        let history = before.history
        let watched = try list("a")
        let revision = try await before.snapshot(of: watched).list.revision
        await before.close()
        let expected = try records(file: "old")

        let report = try copy(file: "old", to: address)
        #expect(report.isWhole && report.answerCount > 0, "\(report.problems)")
        #expect(try records(database: address) == expected)

        // A watch continues, a repeat gets its answer, and a deleted name its next revision.
        let store = try await PostgresFavoritesStore.open(address)
        #expect(store.history == history)
        #expect(store.capacity == 3)
        let after = max(0, revision - 3)
        #expect(try await store.allChanges(of: watched, after: after).count == min(3, Int(revision)))
        let same = RequestKey(RequestID("same"), of: "anna")
        let again = Toggle(list: try list("of-anna"), characterID: 7, request: same)
        guard case .done(let answer) = try await store.toggle(again, character: nil) else {
            Issue.record("the answer is gone")
            return
        }
        #expect(answer.isFavorite && answer.revision == 1)
        #expect(try await store.toggle(8, on: try list("of-ben")).revision == 3)
        await store.close()
        #expect(try DatabaseCheck.check(DatabaseAddress(address)).problems == [])

        let moved = try records(database: address)
        let back = try copy(database: address, to: "new")
        #expect(back.isWhole && back.capacity == 3, "\(back.problems)")
        #expect(try records(file: "new") == moved)
        let file = try fileStore("new")
        #expect(file.history == history)
        #expect(file.openingReport.renewal == nil)
        #expect(try await file.toggle(9, on: try list("of-ben")).revision == 4)
        await file.close()
    }

    /// `restore` and `copy` write them for the servers, and a server of the version before may keep more.
    @Test func picturesInADatabaseAreReadByServersAndCopies() async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            await stores[0].close()
            let empty = try fileStore("empty")
            await empty.close()
            let picture = Picture(bytes: [0x89, 0, 1], mediaType: .png, isPlaceholder: true)
            let kept = (7...8).map { id in
                KeptPicture(id: id, picture: picture, fetchedAt: Timestamp(seconds: 1_700_000_000 + id))
            }
            try StoreFileSource.read(path("empty"), isStopped: true) { source in
                let target = try DatabaseAddress(address)
                _ = try DatabaseTarget.write(to: target, source.facts, capacity: 3, beginsHistory: false) { target in
                    for picture in kept + [kept[0]] { try target.write(picture) }
                }
            }
            let store = try await PostgresFavoritesStore.open(address)
            #expect(try await store.formerPictureIDs() == [], "neither is on a list")
            try await store.toggle(7)
            #expect(try await store.formerPictureIDs() == [7])
            #expect(try await store.formerPictures(of: [7, 9]) == [kept[0]])
            try await server.run(
                "UPDATE marvel.pictures SET media_type = 'image/webp' WHERE character_id = 8",
                in: address
            )
            #expect(try await store.formerPictures(of: [8]) == [], "a newer version's type")
            var copied: [KeptPicture] = []
            try DatabaseSource.read(DatabaseAddress(address), isStopped: false) { source in
                try source.forEachPicture { copied.append($0) }
            }
            #expect(copied == [kept[0]])
            await store.close()
        }
    }

    @Test func aBackupOfADatabaseComesBackWithANewHistory() async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            let store = stores[0]
            try await fill(store, store.edits, seed: 9)
            let report = try copy(database: address, to: "backup", isCopy: true)
            #expect(report.isWhole, "\(report.problems)")
            let wanted = try await store.favorites(.default).favorites + store.favorites(try list("a")).favorites

            let empty = try await server.makeDatabase()
            try copy(file: "backup", to: empty, beginsHistory: true)
            let restored = try await PostgresFavoritesStore.open(empty)
            #expect(restored.history != store.history)
            let lists = try await restored.favorites(.default).favorites + restored.favorites(try list("a")).favorites
            #expect(lists == wanted)
            let edits = try await store.edits.edits(after: 0)
            #expect(try await restored.edits.edits(after: 0) == edits && edits.count == 2)
            #expect(try await restored.edits.picture(of: edits[0].id) != nil)
            #expect(try await restored.snapshot(of: try list("a")).list.revision == 1 << 32)
            await restored.close()
            #expect(try DatabaseCheck.check(DatabaseAddress(empty)).problems == [])

            // The same file serves as a store in a file.
            let file = try fileStore("backup")
            #expect(file.openingReport.renewal == .copy)
            #expect(try await file.edits.edits(after: 0) == edits)
            #expect(try await file.favorites(try list("a")).favorites == store.favorites(try list("a")).favorites)
            await file.close()
        }
    }

    @Test func aStoreInUseOrADatabaseThatHoldsSomethingIsNotCopied() async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            let file = try fileStore("old")
            try await file.toggle(1)
            let empty = try await server.makeDatabase()
            #expect(throws: (any Error).self, "a server has the file open") { try copy(file: "old", to: empty) }
            await file.close()
            expectRefusal("servers are connected") { try copy(database: address, to: "new") }
            expectRefusal("servers are connected") { try copy(file: "old", to: address) }
            try await stores[0].toggle(1)
            await stores[0].close()
            expectRefusal("not empty") { try copy(file: "old", to: address) }
            expectRefusal("no schema marvel") { try copy(database: empty, to: "new") }
            try copy(database: address, to: "new")
            expectRefusal("exists") { try copy(database: address, to: "new") }
            try copy(file: "old", to: empty)
        }
    }

    @Test func aCapacityBelowTheLongestListIsRefused() async throws {
        let server = try await PostgresServer.shared()
        let address = try await server.makeDatabase()
        let file = try SQLiteFavoritesStore(path: path("old"), capacity: 4)
        for id: Int64 in 1...4 { try await file.toggle(id) }
        await file.close()
        expectRefusal("the longest list has 4 favorites") { try copy(file: "old", to: address) }
    }

    /// Each planted fault, and a part of what the check says about it.
    @Test(
        arguments: [
            ("DELETE FROM marvel.changes WHERE revision = 3", "change 3 is missing"),
            ("UPDATE marvel.lists SET revision = revision - 1", "but its log is at 6"),
            ("UPDATE marvel.lists SET ids = ids[2:] || ids[1:1]", "its ids do not match its favorites"),
            ("DELETE FROM marvel.favorites WHERE character_id = 6", "was saved by change 6, but is not on the list"),
            ("UPDATE marvel.favorites SET snapshot = '{}' WHERE character_id = 6", "character 6 cannot be read"),
            (
                "UPDATE marvel.favorites SET saved_revision = 7 WHERE character_id = 6",
                "list default: the row of character 6 does not match its checksum"
            ),
            ("UPDATE marvel.lists SET owner = 'eve'", "list default: its row and ids do not match"),
            ("UPDATE marvel.answers SET revision = 99 WHERE request_id = 'r-6'", "a request was answered with 99"),
            ("INSERT INTO marvel.favorites VALUES ('stray', 1, 1, '{}', '')", "1 favorites belong to missing lists"),
            ("UPDATE marvel.meta SET timeline = timeline - 1", "acknowledged changes may be missing"),
        ]
    )
    func aCheckFindsAPlantedFault(_ fault: String, _ finding: String) async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            for id: Int64 in 1...6 { try await stores[0].toggle(id, request: "r-\(id)") }
            let address = try DatabaseAddress(address)
            #expect(try DatabaseCheck.check(address, capacity: 3).problems == [])
            #expect(try DatabaseCheck.check(address, capacity: 2).problemCount == 1)
            await stores[0].close()
            try await server.run(fault, in: address.text)
            let report = try DatabaseCheck.check(address)
            #expect(report.problems.contains { $0.contains(finding) }, "\(report.problems)")
        }
    }

    private func expectRefusal(_ part: String, _ body: () throws -> Void) {
        let error = #expect(throws: (any Error).self) { try body() }
        #expect(error.map { "\($0)" }?.contains(part) == true, "\(error.map { "\($0)" } ?? "")")
    }
}

extension RecordSource {
    /// The records without what each kind of store has of its own. Answers of one second have no order.
    fileprivate func plainRecords() throws -> [StoreRecord] {
        var (records, answers): ([StoreRecord], [StoreRecord.Answer]) = ([], [])
        try forEachRecord { record in
            switch record {
            case .list(var list):
                for change in list.changes.indices { list.changes[change].digest = 0 }
                (list.digest, list.ids) = (0, nil)
                records.append(.list(list))
            case .answer(let answer): answers.append(answer)
            case .edit: records.append(record)
            }
        }
        answers.sort { ($0.request.principal, $0.request.id.text) < ($1.request.principal, $1.request.id.text) }
        return records + answers.map(StoreRecord.answer)
    }
}

extension SQLiteFavoritesStore {
    @discardableResult
    fileprivate func toggle(_ id: Int64, on list: ListName = .default) async throws -> ToggleResult {
        let wanted = Toggle(list: list, characterID: id)
        guard case .done(let result) = try await self.toggle(wanted, character: character(id), deadline: nil) else {
            throw ServerFailure(description: "the character was needed")
        }
        return result
    }
}
