/// The JSON of a change in the log, without its revision. Existing stores contain its member names, so they never
/// change. Empty members are omitted.
package enum ChangeJSON {
    /// `favorite` returns the JSON of a saved or leaving favorite, by its id.
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

    /// Parses a change, without replaced favorites. `replaced` gets each of those: earlier server versions logged only
    /// these when a character was edited.
    ///
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

    package static func change(_ text: String, revision: Int64) throws(JSONError) -> FavoritesChange {
        try change(utf8: Array(text.utf8), revision: revision)
    }
}

extension JSONWriter {
    fileprivate mutating func field(_ name: String, _ ids: [Int64], _ text: (Int64) -> [UInt8]) {
        guard !ids.isEmpty else { return }
        array(name, ids) { json, id in json.json(text(id)) }
    }
}
