internal import FavoritesEngine
internal import MarvelDomain

/// The changes of a list in a group, with the values of their rows. The texts are in the bytes of the group's writer.
struct WrittenList {
    /// A favorite that the group has saved.
    struct Saved {
        let favorite: Favorite
        /// The revision that saved it.
        let revision: Int64
        /// The place of its JSON.
        let text: Range<Int>

        var id: Int64 { favorite.character.id }
    }

    /// The work of the statement on the list, by the parameter `state`.
    enum State: Int16 {
        /// It only has to be as it was.
        case compared = 0
        case written = 1
        case deleted = 2
    }

    let list: ChangeGroup.List
    let state: State
    private(set) var changes: [ListChange] = []
    /// The places of the JSON of each change.
    private(set) var texts: [ChangeJSON.Places] = []
    /// The favorites that the changes saved and left on the list, oldest first.
    private(set) var saved: [Saved] = []

    init(
        _ list: ChangeGroup.List,
        _ json: inout JSONWriter,
        _ characters: inout SavedCharacterTexts
    ) throws(DatabaseFault) {
        self.list = list
        state = list.edits.isEmpty ? .compared : list.after.exists ? .written : .deleted
        guard !list.edits.isEmpty else { return }
        changes.reserveCapacity(list.edits.count)
        texts.reserveCapacity(list.edits.count)
        for edit in list.edits { try make(edit, &json, &characters) }
    }

    private mutating func make(
        _ edit: ListEdit,
        _ json: inout JSONWriter,
        _ characters: inout SavedCharacterTexts
    ) throws(DatabaseFault) {
        let revision = list.before.revision + Int64(changes.count) + 1
        let change = try edit.change(at: revision) { id throws(DatabaseFault) in
            if let place = saved.firstIndex(where: { $0.id == id }) { return saved[place].favorite }
            guard let place = list.before.ids.firstIndex(of: id), let favorite = list.before.favorites?[place] else {
                throw .malformed("a favorite that leaves the list \(list.name) is not known")
            }
            return favorite
        }
        let places = ChangeJSON.write(change, to: &json) { json, favorite in characters.write(favorite, to: &json) }
        texts.append(places)
        let previous = digest
        let digest = json.bytes.withUnsafeBytes { bytes in
            DatabaseDigest.next(
                after: previous,
                revision: revision,
                text: UnsafeRawBufferPointer(rebasing: bytes[places.text])
            )
        }
        changes.append(ListChange(list.name, consume change, digest: digest))
        edit.forEachLeavingID { id in
            if let place = saved.firstIndex(where: { $0.id == id }) { saved.remove(at: place) }
        }
        if let favorite = edit.saved, let text = places.saved {
            saved.append(Saved(favorite: favorite, revision: revision, text: text))
        }
    }

    // MARK: Rows

    var digest: Int64 { changes.last?.digest ?? list.before.digest }

    /// The ids of the favorites whose rows are deleted.
    var leavingIDs: [Int64] { changes.isEmpty ? [] : list.before.ids.filter { !list.after.ids.contains($0) } }

    /// The checksum that `marvel.list_checksum_1` makes of an existing list.
    func checksum(_ text: ByteMemory) -> Checksum {
        text.removeAll()
        text.append(list.name.text)
        text.append("\n")
        text.append(list.after.owner ?? "")
        text.append("\n\n")
        text.append(decimal: list.after.revision)
        text.append("\n")
        text.append(decimal: digest)
        text.append("\n")
        IDsText(ids: list.after.ids).write(to: text)
        return Checksum(text)
    }
}

/// Ids as PostgreSQL writes an array.
struct IDsText: ParameterValue {
    static var type: ParameterType { .text }
    let ids: [Int64]

    func write(to memory: ByteMemory) {
        memory.append("{")
        for place in ids.indices {
            if place > 0 { memory.append(",") }
            memory.append(decimal: ids[place])
        }
        memory.append("}")
    }
}

/// The checksum of a row.
struct Checksum: ParameterValue {
    static var type: ParameterType { .bytes }
    private let value: UInt64

    fileprivate init(_ head: ByteMemory, _ rest: ByteSlice = ByteSlice(UnsafeRawBufferPointer(start: nil, count: 0))) {
        value = Digest.sha256Prefix(of: head.bytes, rest.bytes)
    }

    /// The checksum that `marvel.favorite_checksum_1` makes of a favorite on a list. `text` is memory for it.
    init(of favorite: Int64, on list: ListName, savedAt revision: Int64, _ json: ByteSlice, _ text: ByteMemory) {
        text.removeAll()
        text.append(list.text)
        text.append("\n")
        text.append(decimal: favorite)
        text.append("\n")
        text.append(decimal: revision)
        text.append("\n")
        self.init(text, json)
    }

    func write(to memory: ByteMemory) { memory.append(bigEndian: value) }
}
