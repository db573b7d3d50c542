internal import Catalog
internal import MarvelDomain
internal import Upstream

struct ImportedRecord: Sendable, Hashable {
    /// Nil if `character.id` is final: Marvel's, or one from an earlier import.
    var source: ImportSource?
    /// Without a source, its id is final. Otherwise it is the number in the data set.
    var character: MarvelCharacter
    var otherName: String?
    /// Made from facts, for characters without a written description.
    var facts = ""

    fileprivate var byteCount: Int {
        let texts = [character.name, character.description, facts, otherName ?? "", character.thumbnail?.path ?? ""]
        return texts.reduce(256) { $0 + $1.utf8.count } + character.urls.reduce(0) { $0 + $1.byteCount }
    }
}

/// All records of an import, in memory, until they are merged into characters.
///
/// Records with a final id belong to the character of that id. A record of a data set belongs to the first of these
/// characters that exists:
///
/// 1. the character of a record with the same number in the same data set;
/// 2. the character whose id is reserved for that number, if an earlier catalog has it;
/// 3. the only character of the same name without a record of this data set, whose characters are all distinct;
/// 4. the character with the record's other name, under the same condition;
/// 5. a new character with the reserved id.
///
/// Records of data sets are processed in the order of their contents, not of the files. So the same records always get
/// the same ids.
struct ImportMerge {
    private struct Member {
        let record: ImportedRecord
        let name: FoldedName
        let otherName: FoldedName?
        var id: Int64?
    }

    private struct Number: Hashable {
        let source: ImportSource
        let key: Int64
    }

    /// The characters of one name.
    private struct Namesakes {
        private var ids: Set<Int64> = []
        /// For each data set, the characters without a record of it; also some that have got one since.
        private var open: [ImportSource: [Int64]] = [:]

        mutating func add(_ id: Int64) {
            guard ids.insert(id).inserted else { return }
            for source in ImportSource.allCases { open[source, default: []].append(id) }
        }

        /// Returns the only character without a record of a data set; nil if there are none or several. A character with a record is
        /// removed, so that it is looked at once: many may have the same name.
        mutating func only(without source: ImportSource, _ hasRecord: (Int64) -> Bool) -> Int64? {
            var left = open.removeValue(forKey: source) ?? []
            var found: [Int64] = []
            while found.count < 2, let id = left.popLast() {
                if !hasRecord(id) { found.append(id) }
            }
            left += found
            open[source] = left
            return found.count == 1 ? found.first : nil
        }
    }

    private var members: [Member] = []
    private var byteCount = 0
    private var idsOfNumbers: [Number: Int64] = [:]
    private var namesakes: [FoldedName: Namesakes] = [:]
    private var sources: [Int64: Set<ImportSource>] = [:]

    var characterCount: Int { sources.count }

    mutating func add(_ record: ImportedRecord) throws(CatalogFileError) {
        byteCount += record.byteCount
        guard byteCount <= StoredCharacters.maximumByteCount else {
            let maximum = StoredCharacters.maximumByteCount
            throw CatalogFileError("the records have more than \(maximum) bytes")
        }
        let otherName = record.otherName.map(ImportMerge.folded)
        members.append(Member(record: record, name: ImportMerge.folded(record.character.name), otherName: otherName))
        if record.source == nil { assign(record.character.id, to: members.count - 1) }
    }

    /// Case, accents and white space do not distinguish names.
    private static func folded(_ name: String) -> FoldedName {
        FoldedName(name.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }

    /// Returns the number of records assigned by name. `checkpoint` is called often, and may end it by an error.
    mutating func assignIDs(_ checkpoint: () throws -> Void = {}) rethrows -> Int {
        let inOrder = members.indices.filter { members[$0].id == nil }.sorted { sortKey($0) < sortKey($1) }
        var mergedByName = 0
        for (count, place) in inOrder.enumerated() {
            if count % 1_000 == 0 { try checkpoint() }
            guard let source = members[place].record.source else { continue }
            let number = Number(source: source, key: members[place].record.character.id)
            let reserved = source.reservedID(number.key)
            if let id = idsOfNumbers[number] ?? (sources[reserved] == nil ? nil : reserved) {
                assign(id, to: place)
            } else if let id = onlyCharacter(named: members[place], without: source) {
                assign(id, to: place)
                mergedByName += 1
            } else {
                assign(reserved, to: place)
            }
        }
        return mergedByName
    }

    /// Records are sorted by their contents. The place only orders records with equal contents.
    private func sortKey(_ place: Int) -> (Int64, Int64, FoldedName, FoldedName, Int) {
        let member = members[place]
        let source = member.record.source?.rawValue ?? 0
        return (source, member.record.character.id, member.name, member.otherName ?? FoldedName(""), place)
    }

    private mutating func assign(_ id: Int64, to place: Int) {
        members[place].id = id
        namesakes[members[place].name, default: Namesakes()].add(id)
        guard let source = members[place].record.source else {
            if sources[id] == nil { sources[id] = [] }
            return
        }
        sources[id, default: []].insert(source)
        idsOfNumbers[Number(source: source, key: members[place].record.character.id)] = id
    }

    /// Nil if that character has a record of this data set.
    private mutating func onlyCharacter(named member: Member, without source: ImportSource) -> Int64? {
        let sources = sources
        for name in [member.name, member.otherName].compactMap(\.self) {
            let found = namesakes[name]?.only(without: source) { sources[$0]?.contains(source) != false }
            if let found = found ?? nil { return found }
        }
        return nil
    }

    /// Ordered by id. Call `assignIDs` first.
    func forEachCharacter(_ body: (MarvelCharacter) throws -> Void) rethrows {
        let inOrder = members.indices.sorted { (members[$0].id ?? 0, $0) < (members[$1].id ?? 0, $1) }
        var rest = inOrder[...]
        while let first = rest.first, let id = members[first].id {
            let group = rest.prefix { members[$0].id == id }
            rest = rest.dropFirst(group.count)
            var merge = CharacterMerge(members[first].record, id: id)
            for place in group.dropFirst() { merge.fill(from: members[place].record) }
            try body(merge.result)
        }
    }
}

/// The values of the first record win, and later ones fill gaps.
private struct CharacterMerge {
    private var character: MarvelCharacter
    private var facts: String

    init(_ first: ImportedRecord, id: Int64) {
        character = first.character
        character.id = id
        if !character.hasPictureOfItsOwn { character.thumbnail = nil }
        facts = first.facts
    }

    mutating func fill(from record: ImportedRecord) {
        let later = record.character
        if character.description.isEmpty { character.description = later.description }
        character.modified = character.modified ?? later.modified
        if let thumbnail = later.thumbnail, later.hasPictureOfItsOwn {
            // The API's placeholder means a missing picture. Any picture replaces it.
            if character.thumbnail.map(\.isPlaceholder) ?? true { character.thumbnail = thumbnail }
        }
        let counts: [WritableKeyPath<MarvelCharacter, Int32>] = [
            \.comicCount, \.seriesCount, \.storyCount, \.eventCount,
        ]
        for count in counts where character[keyPath: count] == 0 { character[keyPath: count] = later[keyPath: count] }
        let types = Set(character.urls.map(\.type))
        character.urls += later.urls.filter { !types.contains($0.type) }
        if facts.isEmpty { facts = record.facts }
    }

    var result: MarvelCharacter {
        var result = character
        if result.description.isEmpty { result.description = facts }
        if result.thumbnail == nil { result.thumbnail = .emblem(of: result.id) }
        return result.withinLimits
    }
}

extension MarvelCharacter {
    /// False for a drawn emblem.
    fileprivate var hasPictureOfItsOwn: Bool { thumbnail != nil && !isDrawn }
}
