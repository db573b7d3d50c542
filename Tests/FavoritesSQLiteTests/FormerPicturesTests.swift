internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Synchronization
internal import Testing

@testable internal import FavoritesSQLite

/// Stores of schema version 7, which hold the pictures of favorites.
@Suite(.temporaryFolder) struct FormerPicturesTests {
    /// The last schema version with pictures.
    private static let version = StoreSchema.versionWithoutPictures - 1
    private static let pictures = [
        KeptPicture(
            id: 1,
            picture: Picture(bytes: [0, 1, 255], mediaType: .jpeg, isPlaceholder: true),
            fetchedAt: Timestamp(seconds: 1_700_000_000)
        ),
        KeptPicture(id: 3, picture: Picture(bytes: [3], mediaType: .png), fetchedAt: Timestamp(seconds: .max)),
    ]

    /// The pictures that were moved out of a store.
    private final class Moved: Sendable {
        private let batches = Mutex<[[KeptPicture]]>([])

        var pictures: [KeptPicture] { batches.withLock { $0.flatMap(\.self).sorted { $0.id < $1.id } } }

        func add(_ pictures: [KeptPicture]) -> Bool {
            batches.withLock { $0.append(pictures) }
            return true
        }
    }

    /// Makes a store with three favorites, and pictures of 1 and 3; that of 2 is damaged.
    private func makeStore(_ path: String) async throws {
        let store = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 1...3 { try await store.toggle(id, request: "r-\(id)") }
        await store.close()
        let damaged = KeptPicture(
            id: 2,
            picture: Picture(bytes: [2], mediaType: .png),
            fetchedAt: Timestamp(seconds: 0)
        )
        try await change(path, "\(addingPictures) PRAGMA user_version = \(Self.version);")
        let database = try DatabaseQueue(path)
        try database.sync { db in
            for kept in Self.pictures + [damaged] {
                let values: [any SQLConvertible] = [
                    kept.id, kept.picture.mediaType.rawValue, kept.picture.isPlaceholder, kept.picture.bytes,
                    kept.fetchedAt.seconds,
                ]
                let checksum = RowChecksum.of(values.map(\.sqlValue))
                try db.run("INSERT INTO pictures VALUES (?, ?, ?, ?, ?, ?)", binding: values + [checksum])
            }
            try db.execute("UPDATE pictures SET bytes = x'07' WHERE character_id = 2")
        }
        try database.close()
    }

    private func pictures(in path: String) throws -> [KeptPicture] {
        var pictures: [KeptPicture] = []
        try StoreConnection.read(path) { db in try FormerPictures.forEach(in: db) { pictures.append($0) } }
        return pictures.sorted { $0.id < $1.id }
    }

    private func version(_ path: String) throws -> Int { try StoreCheck.check(path).schemaVersion }

    @Test func theyAreMovedAndThenTheTableIsDropped() async throws {
        try await makeStore(path)
        #expect(try StoreCheck.check(path).problems == [])
        #expect(try version(path) == Self.version)
        let moved = Moved()
        let store = try SQLiteFavoritesStore(path: path, movingPictures: moved.add)
        #expect(store.openingReport.problems == [])
        #expect(moved.pictures == Self.pictures)
        #expect(try await store.ids() == [1, 2, 3])
        await store.close()
        #expect(try version(path) == StoreSchema.version)
        #expect(try pictures(in: path) == [])
        let again = try SQLiteFavoritesStore(path: path) { _ in
            Issue.record("there are no pictures")
            return false
        }
        await again.close()
    }

    @Test func aStoreWhosePicturesCannotBeMovedKeepsThemAndIsServed() async throws {
        try await makeStore(path)
        for move in [nil, { _ in false }] as [PictureMove?] {
            let store = try SQLiteFavoritesStore(path: path, movingPictures: move)
            #expect(store.openingReport.problems == [])
            #expect(try await store.toggle(2, .removed, request: "removed").revision == 4)
            #expect(try await store.favorites(among: [1, 2]) == [1])
            await store.close()
            #expect(try version(path) == Self.version)
            #expect(try pictures(in: path) == Self.pictures)
        }
        let moved = Moved()
        await (try SQLiteFavoritesStore(path: path, movingPictures: moved.add)).close()
        #expect(moved.pictures == Self.pictures)
        #expect(try version(path) == StoreSchema.version)
    }

    /// The files at that moment are what a crash leaves behind.
    @Test func aCrashBetweenTheMoveAndTheMigrationMovesThemAgain() async throws {
        let crashed = "\(folder)/crashed.db"
        try await makeStore(path)
        let store = try SQLiteFavoritesStore(path: path) { _ in
            for suffix in ["", "-wal", ".witness"] {
                try? FileManager.default.copyItem(atPath: path + suffix, toPath: crashed + suffix)
            }
            return true
        }
        await store.close()
        #expect(try pictures(in: path) == [])
        let moved = Moved()
        let next = try SQLiteFavoritesStore(path: crashed, movingPictures: moved.add)
        #expect(next.openingReport.problems == [])
        #expect(moved.pictures == Self.pictures)
        #expect(try await next.ids() == [1, 2, 3])
        await next.close()
        #expect(try version(crashed) == StoreSchema.version)
    }

    @Test func aCopyAndARestoredStoreHaveThemUntilAServerMovesThem() async throws {
        let (copy, restored) = ("\(folder)/copy.db", "\(folder)/restored.db")
        try await makeStore(path)
        #expect(try StoreBackup.copy(path, to: copy).isWhole)
        #expect(try pictures(in: copy) == Self.pictures)
        #expect(try StoreRestore.restore(copy, to: restored).isWhole)
        let moved = Moved()
        let store = try SQLiteFavoritesStore(path: restored, movingPictures: moved.add)
        #expect(moved.pictures == Self.pictures)
        #expect(try await store.ids() == [1, 2, 3])
        await store.close()
    }
}
