internal import MarvelDomain

/// The JSON of a change in the log, without its revision. Its names are in every store ever written, as those of
/// `FavoriteJSON`; members that are empty are left out.
enum ChangeJSON {
    static func text(_ edit: ListEdit<StoredFavorite>) -> String {
        var json = JSONWriter()
        json.object { json in
            if !edit.cleared.isEmpty { json.field("cleared", json: edit.cleared.text) }
            if edit.isDeletion { json.field("deleted", json: "true") }
            if !edit.evicted.isEmpty { json.field("evicted", json: edit.evicted.text) }
            if let removed = edit.removed { json.field("removed", json: removed.text) }
            if let saved = edit.saved { json.field("saved", json: saved.text) }
            if !edit.updated.isEmpty { json.field("updated", json: edit.updated.text) }
        }
        return json.text
    }

    static func change(_ text: String, revision: Int64) throws(JSONError) -> FavoritesChange {
        var change = FavoritesChange(revision: revision)
        try JSONReader.read(text) { (reader) throws(JSONError) in
            try reader.object { (reader, name) throws(JSONError) in
                switch name {
                case "cleared": change.cleared = try reader.favorites()
                case "deleted": change.isDeletion = try reader.bool()
                case "evicted": change.evicted = try reader.favorites()
                case "removed": change.removed = try reader.favorite()
                case "saved": change.saved = try reader.favorite()
                case "updated": change.updated = try reader.favorites()
                default: try reader.skipValue()
                }
            }
        }
        return change
    }
}
