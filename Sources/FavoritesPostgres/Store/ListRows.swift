internal import FavoritesEngine
internal import MarvelDomain

/// The changes of a list in a group, as the database gets them.
struct ListRows {
    /// A favorite on the list.
    struct Held {
        let favorite: Favorite
        /// The revision that saved it; nil if that was before the group.
        let savedRevision: Int64?
        /// Its JSON, once a row has it.
        fileprivate(set) var text: [UInt8]

        var id: Int64 { favorite.character.id }
    }

    let list: ChangeGroup.List
    private(set) var changes: [ListChange] = []
    /// The JSON of each change.
    private(set) var texts: [[UInt8]] = []
    /// The favorites that each change evicts, as a JSON array; nil if it evicts none.
    private(set) var evicted: [[UInt8]?] = []
    /// The favorites after the changes, oldest first.
    private var favorites: [Held] = []

    /// - Throws: `.malformed` if a favorite that leaves the list is not among those of the list.
    init(_ list: ChangeGroup.List, _ characters: inout SavedCharacterTexts) throws(DatabaseFault) {
        self.list = list
        guard !list.edits.isEmpty else { return }
        favorites = list.before.favorites?.map { Held(favorite: $0, savedRevision: nil, text: []) } ?? []
        for edit in list.edits { try make(edit, &characters) }
    }

    private mutating func make(_ edit: ListEdit, _ characters: inout SavedCharacterTexts) throws(DatabaseFault) {
        let revision = list.before.revision + Int64(changes.count) + 1
        let change = try edit.change(at: revision) { id throws(DatabaseFault) in
            let place = try place(of: id)
            if favorites[place].text.isEmpty { favorites[place].text = characters.utf8(favorites[place].favorite) }
            return favorites[place].favorite
        }
        if let saved = edit.saved {
            favorites.append(Held(favorite: saved, savedRevision: revision, text: characters.utf8(saved)))
        }
        let text = ChangeJSON.text(edit) { id in favorites.last { $0.id == id }?.text ?? [] }
        texts.append(text)
        evicted.append(edit.evicted.isEmpty ? nil : jsonArray(edit.evicted))
        let digest = DatabaseDigest.next(after: digest, revision: revision, text: text)
        changes.append(ListChange(list.name, change, digest: digest))
        edit.forEachLeavingID { id in favorites.removeAll { $0.id == id } }
    }

    private func place(of id: Int64) throws(DatabaseFault) -> Int {
        guard let place = favorites.firstIndex(where: { $0.id == id }) else {
            throw .malformed("a favorite that leaves the list \(list.name) is not known")
        }
        return place
    }

    private func jsonArray(_ ids: [Int64]) -> [UInt8] {
        var json = JSONWriter()
        json.array { json in
            for favorite in favorites where ids.contains(favorite.id) { json.json(favorite.text) }
        }
        return json.bytes
    }

    // MARK: Rows

    /// The digest after the changes.
    var digest: Int64 { changes.last?.digest ?? list.before.digest }

    /// The ids of the favorites whose rows are deleted.
    var leavingIDs: [Int64] { changes.isEmpty ? [] : list.before.ids.filter { !list.after.ids.contains($0) } }

    /// The favorites whose rows are written.
    var saved: [(favorite: Held, revision: Int64)] {
        favorites.compactMap { favorite in favorite.savedRevision.map { (favorite, $0) } }
    }

    /// The ids after the changes, as PostgreSQL writes an array.
    var ids: String { "{\(list.after.ids.map(String.init).joined(separator: ","))}" }

    // The checksums are those that `marvel.list_checksum_1` and `marvel.favorite_checksum_1` make.

    /// The checksum of the list, if it exists after the changes.
    func checksum(ids: String) -> [UInt8] {
        let (name, after) = (list.name.text, list.after)
        return Self.checksum("\(name)\n\(after.owner ?? "")\n\n\(after.revision)\n\(digest)\n\(ids)")
    }

    func checksum(of favorite: Held, savedAt revision: Int64) -> [UInt8] {
        Self.checksum("\(list.name.text)\n\(favorite.id)\n\(revision)\n", favorite.text)
    }

    private static func checksum(_ head: String, _ rest: [UInt8] = []) -> [UInt8] {
        var checksum: [UInt8] = []
        checksum.appendBigEndian(Digest.sha256.prefix(of: Array(head.utf8) + rest))
        return checksum
    }
}
