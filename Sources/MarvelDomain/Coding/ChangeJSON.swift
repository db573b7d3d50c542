/// The JSON of a change in the log, without its revision. Its names are in every store ever written, as those of
/// `FavoriteJSON`; members that are empty are left out.
package enum ChangeJSON {
    /// Makes the JSON of a change.
    ///
    /// - Parameters:
    ///   - edit: The change.
    ///   - favorite: Returns the JSON of a favorite, by its id: of what is saved, and of what leaves the list.
    /// - Returns: The bytes of the JSON.
    package static func text(_ edit: ListEdit, _ favorite: (Int64) -> [UInt8]) -> [UInt8] {
        var json = JSONWriter()
        json.reserveCapacity(1024)
        json.object { json in
            json.field("cleared", edit.cleared, favorite)
            if edit.isDeletion { json.field("deleted", json: "true") }
            json.field("evicted", edit.evicted, favorite)
            if let removed = edit.removed { json.field("removed", json: favorite(removed)) }
            if let saved = edit.saved { json.field("saved", json: favorite(saved.character.id)) }
        }
        return json.bytes
    }

    /// Reads a change from the bytes of its text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - revision: The revision of the change.
    ///   - replaced: Called with each favorite whose snapshot the change replaced. Earlier versions of the server made such
    ///     changes when a character was edited, and nothing else in them.
    /// - Returns: The change, without the favorites that it replaced.
    /// - Throws: `JSONError` if the text is not a change.
    package static func change(
        utf8 text: [UInt8],
        revision: Int64,
        replaced: (Favorite) -> Void = { _ in }
    ) throws(JSONError) -> FavoritesChange {
        var change = FavoritesChange(revision: revision)
        try JSONReader.read(text) { (reader) throws(JSONError) in
            try reader.object { (reader, name) throws(JSONError) in
                switch name {
                case "cleared": change.cleared = try reader.favorites()
                case "deleted": change.isDeletion = try reader.bool()
                case "evicted": change.evicted = try reader.favorites()
                case "removed": change.removed = try reader.favorite()
                case "saved": change.saved = try reader.favorite()
                case "updated": try reader.favorites().forEach(replaced)
                default: try reader.skipValue()
                }
            }
        }
        return change
    }

    /// Reads a change from its text.
    package static func change(_ text: String, revision: Int64) throws(JSONError) -> FavoritesChange {
        try change(utf8: Array(text.utf8), revision: revision)
    }
}

extension JSONWriter {
    /// Writes a member that is an array, unless that is empty.
    fileprivate mutating func field(_ name: String, _ ids: [Int64], _ text: (Int64) -> [UInt8]) {
        guard !ids.isEmpty else { return }
        array(name, ids) { json, id in json.json(text(id)) }
    }
}
