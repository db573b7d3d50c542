internal import MarvelDomain

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
struct ListLine {
    var name: ListName
    var favorites: [Favorite]
    /// Nil if the text is older than owners.
    var owner: ListOwner?

    /// A list of the largest characters, with every letter escaped, has half of it.
    static let maximumBytes = 32 << 20

    /// With its line break.
    static func text(
        _ name: ListName,
        _ favorites: [StoredFavorite],
        revision: Int64,
        owner: ListOwner = .nobody
    ) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("favorites", json: favorites.text)
            json.field("list", name.text)
            json.field("owner", owner.name ?? "")
            json.field("revision", revision)
        }
        return json.text + "\n"
    }

    /// - Throws: The rule that the line breaks, as a text.
    init(_ bytes: some Collection<UInt8>) throws(Problem) {
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
        let maximum = StoreLimits.capacities.upperBound
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

    struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
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
