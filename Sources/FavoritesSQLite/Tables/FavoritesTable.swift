internal import Glibc
internal import MarvelDomain
internal import SQLiteFiles

struct FavoritesTable {
    private let selection: PreparedStatement
    private let insertion: PreparedStatement
    private let deletion: PreparedStatement

    init(_ db: Database) throws {
        selection = try db.prepare(
            "SELECT snapshot, saved_revision, checksum FROM favorites WHERE list = ? AND character_id = ?"
        )
        insertion = try db.prepare(
            "INSERT INTO favorites (list, character_id, saved_revision, snapshot, checksum) VALUES (?, ?, ?, ?, ?)"
        )
        deletion = try db.prepare("DELETE FROM favorites WHERE list = ? AND character_id = ?")
    }

    /// - Throws: `DamagedList` if the favorite is missing, or differs from the written one.
    func stored(_ id: Int64, on list: ListName, _ snapshots: RecentSnapshots) throws -> StoredFavorite {
        var stored: StoredFavorite?
        let damaged = DamagedList(list: list, problem: .favorite(id))
        try selection.run { values in
            values.add(list.text)
            values.add(id)
        } forEachRow: { row in
            stored = try DamagedList.reading(list, damaged.problem) {
                try row.withUTF8(at: 0) { text in
                    try snapshots.favorite(id, on: list, text: text) {
                        let checksum = RowChecksum.ofFavorite(
                            id,
                            on: list,
                            savedRevision: try row.integer(at: 1),
                            text: UnsafeRawBufferPointer(text)
                        )
                        guard try row.integer(at: 2) == checksum else { throw damaged }
                    }
                }
            }
        }
        guard let stored else { throw damaged }
        return stored
    }

    func insert(_ stored: StoredFavorite, on list: ListName, revision: Int64) throws {
        try insertion.run { values in
            values.add(list.text)
            let id = stored.favorite.character.id
            values.add(id)
            values.add(revision)
            values.add(utf8: stored.text)
            values.add(
                stored.text.withUnsafeBytes { text in
                    RowChecksum.ofFavorite(id, on: list, savedRevision: revision, text: text)
                }
            )
        }
    }

    func delete(_ id: Int64, from list: ListName) throws {
        try deletion.run { values in
            values.add(list.text)
            values.add(id)
        }
    }

    /// The favorites on a list, also damaged ones. Those with a value of another type than its column declares are left
    /// out.
    static func rows(on list: ListName, in db: Database) throws -> [StoreRecord.Favorite] {
        let sql = "SELECT character_id, saved_revision, snapshot FROM favorites WHERE list = ? ORDER BY saved_revision"
        return try db.all(sql, list.text) { row in
            try? StoreRecord.Favorite(id: row.read(at: 0), savedRevision: row.read(at: 1), text: row.utf8(at: 2))
        }
        .compactMap(\.self)
    }
}

/// The favorites that the writer has read or made recently, each with its text.
///
/// A list that changes often loses what it got a few changes before, and many lists get the same characters. Reading
/// and writing their JSON took a twelfth of a toggle's time, and comparing it takes almost nothing.
final class RecentSnapshots {
    private struct Place: Hashable {
        let list: ListName
        let id: Int64
    }

    /// They take some 2 MB.
    private static let maximumCount = 1_024

    private var favorites: [Place: StoredFavorite] = [:]
    private var characters = SavedCharacterTexts()

    /// The favorite of a row. If its text is not known, the row is verified and read.
    ///
    /// - Throws: `JSONError` if the text is not a favorite, or the error of `verify`.
    func favorite(
        _ id: Int64,
        on list: ListName,
        text: UnsafeRawBufferPointer,
        verify: () throws -> Void = {}
    ) throws -> StoredFavorite {
        let place = Place(list: list, id: id)
        if let known = favorites[place], known.hasText(text) { return known }
        try verify()
        let stored = try StoredFavorite(text: Array(text))
        keep(stored, at: place)
        return stored
    }

    func stored(_ favorite: Favorite, on list: ListName) -> StoredFavorite {
        let stored = StoredFavorite(favorite, text: characters.utf8(favorite))
        keep(stored, at: Place(list: list, id: favorite.character.id))
        return stored
    }

    private func keep(_ stored: StoredFavorite, at place: Place) {
        if favorites.count >= Self.maximumCount { favorites.removeAll(keepingCapacity: true) }
        favorites[place] = stored
    }
}

/// A favorite with its text in the store: each is made from the other only once, however often it is written.
struct StoredFavorite {
    let favorite: Favorite
    /// In UTF-8.
    let text: [UInt8]

    init(_ favorite: Favorite, text: [UInt8]) { (self.favorite, self.text) = (favorite, text) }

    /// - Throws: `JSONError` if the text is not a favorite.
    init(text: [UInt8]) throws(JSONError) {
        favorite = try FavoriteJSON.favorite(utf8: text)
        self.text = text
    }
}

extension [StoredFavorite] {
    var text: [UInt8] {
        var json = JSONWriter()
        json.array { json in for favorite in self { json.json(favorite.text) } }
        return json.bytes
    }
}

extension StoredFavorite {
    fileprivate func hasText(_ other: UnsafeRawBufferPointer) -> Bool {
        guard text.count == other.count, let start = other.baseAddress else { return false }
        return text.withUnsafeBytes { text in
            guard let text = text.baseAddress else { return false }
            return memcmp(text, start, other.count) == 0
        }
    }
}
