internal import GRDB
package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// The pictures. They are written in transactions of their own, between groups of toggles: no toggle waits for more
/// than one of these.
extension SQLiteFavoritesStore: PictureStore {
    package func picture(of id: Int64) async throws(StoreError) -> KeptPicture? {
        let kept = try await read { db in try PicturesTable.picture(of: id, in: db) }
        return kept.map { [now] in
            KeptPicture($0.picture, age: .seconds(max(0, now().seconds.subtractingSaturated($0.fetchedAt))))
        }
    }

    package func hasPicture(of id: Int64) async throws(StoreError) -> Bool {
        try await read { db in try PicturesTable.contains(id, in: db) }
    }

    package func keep(_ pictures: [Int64: Picture]) async throws(StoreError) -> Set<Int64> {
        try await writePictures(of: Set(pictures.keys)) { [now] held, db in
            let wanted = pictures.filter { held.contains($0.key) }
            for (id, picture) in wanted { try PicturesTable.insert(picture, of: id, at: now(), in: db) }
            return held
        }
    }

    package func dropPictures(of ids: Set<Int64>?) async throws(StoreError) {
        let known: Set<Int64>
        if let ids { known = ids } else { known = try await read { db in try PicturesTable.ids(in: db) } }
        guard !known.isEmpty else { return }
        try await writePictures(of: known) { held, db in
            for id in known.subtracting(held) { try PicturesTable.delete(id, in: db) }
        }
    }

    /// Deletes damaged pictures, also those of characters that are on a list.
    ///
    /// - Throws: `StoreError.notWritable`.
    func deletePictures(_ ids: [Int64]) async throws(StoreError) {
        try await writePictures(of: []) { _, db in
            for id in ids { try PicturesTable.delete(id, in: db) }
        }
    }

    package func charactersWithoutPicture(
        excluding excluded: Set<Int64>,
        limit: Int
    ) async throws(StoreError) -> [MarvelCharacter] {
        try await read { [self] db in
            var seen = try PicturesTable.ids(in: db).union(excluded)
            let missingCount = state.withLock { $0.held.count(excluding: seen) }
            var characters: [MarvelCharacter] = []
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT list, character_id, saved_revision, snapshot, checksum FROM favorites"
            )
            while characters.count < min(limit, missingCount), let row = try rows.next() {
                let id: Int64 = try row.read(at: 1)
                // Another list may hold the character if this row is damaged.
                guard !seen.contains(id), state.withLock({ $0.held.contains(id) }),
                    let values = try? row.verifiedValues(),
                    let favorite = try? FavoriteJSON.favorite(values[3].decoded())
                else { continue }
                seen.insert(id)
                characters.append(favorite.character)
            }
            return characters
        }
    }
}

extension SQLiteFavoritesStore {
    /// Writes pictures in one transaction on the writer's queue.
    ///
    /// - Parameters:
    ///   - ids: The characters of the pictures.
    ///   - body: Gets the characters that are on a list, which cannot change until it returns.
    /// - Returns: The result, once it is on disk.
    /// - Throws: `StoreError.notWritable`.
    private func writePictures<Value: Sendable>(
        of ids: Set<Int64>,
        _ body: @escaping @Sendable (_ held: Set<Int64>, Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await onWriter { [self] db throws(StoreError) in
            if let refusal { throw refusal }
            do {
                try files?.verify()
                return try db.committed { try body(held(of: ids), db) }
            } catch {
                throw .notWritable(fault(error, in: "keeping pictures").text)
            }
        }
    }

    /// Returns the characters that are on a list. Only the writer changes lists, and this runs on its queue.
    private func held(of ids: Set<Int64>) -> Set<Int64> {
        state.withLock { state in ids.filter(state.held.contains) }
    }
}
