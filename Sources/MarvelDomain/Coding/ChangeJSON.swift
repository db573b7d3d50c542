/// The JSON of a change in the log, without its revision. Existing stores contain its member names, so they never
/// change. Empty members are omitted.
package enum ChangeJSON {
    /// The places of values in the bytes of a writer.
    package struct Places {
        package var text: Range<Int>
        /// The array of the evicted favorites; nil without any.
        package var evicted: Range<Int>?
        /// The saved favorite.
        package var saved: Range<Int>?
    }

    /// Writes a change. `favorite` writes the JSON of a favorite.
    package static func write(
        _ change: FavoritesChange,
        to json: inout JSONWriter,
        _ favorite: (inout JSONWriter, Favorite) -> Void
    ) -> Places {
        write(
            cleared: change.cleared,
            isDeletion: change.isDeletion,
            evicted: change.evicted,
            removed: change.removed,
            saved: change.saved,
            to: &json,
            favorite
        )
    }

    /// `favorite` returns the JSON of a saved or leaving favorite, by its id.
    package static func text(_ edit: ListEdit, _ favorite: (Int64) -> [UInt8]) -> [UInt8] {
        var json = JSONWriter()
        json.reserveCapacity(1024)
        _ = write(
            cleared: edit.cleared,
            isDeletion: edit.isDeletion,
            evicted: edit.evicted,
            removed: edit.removed,
            saved: edit.saved?.character.id,
            to: &json
        ) { json, id in json.json(favorite(id)) }
        return json.bytes
    }

    private static func write<Value>(
        cleared: [Value],
        isDeletion: Bool,
        evicted: [Value],
        removed: Value?,
        saved: Value?,
        to json: inout JSONWriter,
        _ favorite: (inout JSONWriter, Value) -> Void
    ) -> Places {
        json.beginText()
        let start = json.bytes.count
        var places = Places(text: start..<start)
        json.object { json in
            if !cleared.isEmpty { json.array("cleared", cleared, favorite) }
            if isDeletion { json.field("deleted", json: "true") }
            if !evicted.isEmpty {
                json.key(plain: "evicted")
                let start = json.bytes.count
                json.array { json in for value in evicted { favorite(&json, value) } }
                places.evicted = start..<json.bytes.count
            }
            if let removed {
                json.key(plain: "removed")
                favorite(&json, removed)
            }
            if let saved {
                json.key(plain: "saved")
                let start = json.bytes.count
                favorite(&json, saved)
                places.saved = start..<json.bytes.count
            }
        }
        places.text = start..<json.bytes.count
        return places
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
}
