/// A list as a line of text, for exports and imports: one JSON object.
///
///     {"favorites":[{"character":{…},"savedAt":{"nanoseconds":0,"seconds":1700000000}}],"list":"team","owner":"anna",
///     "revision":7}
///
/// `favorites` has all favorites, oldest first, each as the store keeps it: the character, and the time of saving. The
/// character has `id`, `name`, `description`, `comics`, `series`, `stories` and `events`. It also has `modified` (a
/// time, if known), `thumbnail` (`path` and `fileExtension`, if any) and `urls` (each with `type` and `url`). `owner`
/// is the name of the caller that made the list, and empty if it had none. `revision` is for people: an import does not
/// read it.
package struct ListLine: Sendable, Hashable {
    package var name: ListName
    package var favorites: [Favorite]
    /// Nil if the text is older than owners.
    package var owner: ListOwner?

    /// In bytes. A list of the largest characters, with every letter escaped, has half of it.
    package static let maximumLength = 32 << 20

    /// The line for a list, with its line break.
    package static func text(_ list: StoreRecord.List) -> [UInt8] {
        let line = JSONWriter.object { json in
            json.array("favorites", list.favorites) { json, favorite in json.json(favorite.text) }
            json.field("list", list.name.text)
            json.field("owner", list.owner.name ?? "")
            json.field("revision", list.revision)
        }
        return line + [UInt8(ascii: "\n")]
    }

    /// - Throws: The rule that the line breaks, as a text.
    package init(_ bytes: some Collection<UInt8>) throws(Problem) {
        var (list, read): (String, [Favorite]) = ("", [])
        var owner: String?
        do throws(JSONError) {
            var reader = JSONReader(Array(bytes))
            try reader.object(requiring: ["favorites", "list"]) { (reader, name) throws(JSONError) in
                switch name {
                case "favorites": read = try reader.favorites()
                case "list": list = try reader.string()
                case "owner": owner = try reader.string()
                default: try reader.skipValue()
                }
            }
            try reader.expectEnd()
        } catch {
            throw Problem("\(error)")
        }
        guard !list.isEmpty, let name = ListName(list) else {
            throw Problem("list is not 1 to \(ListName.maximumLength) of A-Z a-z 0-9 . _ -")
        }
        let maximum = ListRules.capacities.upperBound
        guard read.count <= maximum else {
            throw Problem("list \(name) has \(read.count) favorites; a list holds at most \(maximum)")
        }
        if let owner {
            guard let owner = ListOwner(stored: owner) else {
                throw Problem("list \(name): owner is not 1 to \(ListOwner.maximumNameLength) printable characters")
            }
            self.owner = owner
        }
        var ids: Set<Int64> = []
        self.name = name
        favorites = []
        for favorite in read {
            let id = favorite.character.id
            guard id > 0 else { throw Problem("list \(name): a character's id is \(id), minimum is 1") }
            guard ids.insert(id).inserted else { throw Problem("list \(name): character \(id) is in the list twice") }
            if let rule = favorite.brokenRule { throw Problem("list \(name), character \(id): \(rule)") }
            favorites.append(favorite)
        }
    }

    package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }
}

extension Favorite {
    fileprivate var brokenRule: String? {
        let texts =
            [character.name, character.description]
            + [character.thumbnail?.path, character.thumbnail?.fileExtension].compactMap(\.self)
            + character.urls.flatMap { [$0.type, $0.url] }
        if texts.contains(where: { $0.utf8.contains(0) }) { return "a text contains a zero byte" }
        if character.withinLimits != character { return "a text is too long" }
        let times = [savedAt, character.modified].compactMap(\.self)
        return times.allSatisfy(\.isValid) ? nil : "a time is not within the years 1 to 9999"
    }
}

/// The result of an export as text: all lists, in the order of their names, and then the edits of characters.
package struct ListsExport: Sendable, Hashable {
    package private(set) var listCount = 0
    package private(set) var favoriteCount = 0
    package private(set) var editCount = 0
    /// The lists that were skipped.
    package var damagedLists: [ListName] = []
    /// The characters whose edits were skipped.
    package var damagedEdits: [Int64] = []
    /// The number of lists that were skipped because their names are damaged.
    package var invalidNameCount = 0

    package var isWhole: Bool { damagedLists.isEmpty && damagedEdits.isEmpty && invalidNameCount == 0 }

    package init() {}

    package mutating func write(_ list: StoreRecord.List, _ write: ([UInt8]) throws -> Void) rethrows {
        guard list.deletion == nil else { return }
        try write(ListLine.text(list))
        listCount += 1
        favoriteCount += list.favorites.count
    }

    package mutating func write(
        _ edited: EditedCharacter,
        _ picture: Picture?,
        _ write: ([UInt8]) throws -> Void
    ) rethrows {
        try write(EditLine.text(edited, picture))
        editCount += 1
    }
}
