internal import FavoritesEngine
internal import MarvelDomain

/// The changes of a list in a group, with the values of their rows.
struct ListRows {
    /// A favorite on the list.
    struct Held {
        let favorite: Favorite
        /// The revision that saved it; nil if that was before the group.
        let savedRevision: Int64?
        /// Its JSON; empty until a row needs it.
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

    var digest: Int64 { changes.last?.digest ?? list.before.digest }

    /// The ids of the favorites whose rows are deleted.
    var leavingIDs: [Int64] { changes.isEmpty ? [] : list.before.ids.filter { !list.after.ids.contains($0) } }

    /// The favorites whose rows are written.
    var saved: [(favorite: Held, revision: Int64)] {
        favorites.compactMap { favorite in favorite.savedRevision.map { (favorite, $0) } }
    }

    /// The ids after the changes, as PostgreSQL writes an array.
    var ids: String { "{\(list.after.ids.map(String.init).joined(separator: ","))}" }

    /// The checksum as `marvel.list_checksum_1` makes it, of an existing list.
    func checksum(ids: String) -> Checksum {
        let (name, after) = (list.name.text, list.after)
        return Checksum("\(name)\n\(after.owner ?? "")\n\n\(after.revision)\n\(digest)\n\(ids)")
    }

    /// The checksum as `marvel.favorite_checksum_1` makes it.
    func checksum(of favorite: Held, savedAt revision: Int64) -> Checksum {
        Checksum("\(list.name.text)\n\(favorite.id)\n\(revision)\n", favorite.text)
    }
}

/// The checksum of a row.
struct Checksum: ParameterValue {
    static var type: ParameterType { .bytes }
    private let value: UInt64

    init(_ head: String, _ rest: [UInt8] = []) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.utf8.count + rest.count)
        bytes += head.utf8
        bytes += rest
        value = Digest.sha256.prefix(of: bytes)
    }

    func write(to bytes: inout [UInt8]) { bytes.appendBigEndian(value) }
}
