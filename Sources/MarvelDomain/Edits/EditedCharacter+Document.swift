/// The document of an edit in every store:
///
///     {"kind":"edited","edited_at":1700000000,"name":"A","urls":[{"type":"wiki","url":"u"}],"media_type":"image/png"}
///
/// A missing or null field keeps the source's value. Member names never change, because existing stores contain them.
/// Unknown members are skipped. The id and the revision are stored beside the document.
extension EditedCharacter {
    package var document: String {
        var json = JSONWriter()
        json.object { json in writeMembers(to: &json) }
        return json.text
    }

    func writeMembers(to json: inout JSONWriter) {
        json.field("kind", kind.rawValue)
        json.field("edited_at", editedAt.seconds)
        edit.writeMembers(to: &json)
        if let pictureType { json.field("media_type", pictureType.rawValue) }
    }

    /// Reads a document.
    ///
    /// - Throws: `DamagedEdit` if a value is invalid.
    package init(id: Int64, revision: Int64, document: String) throws(DamagedEdit) {
        var (kind, editedAt): (Kind?, Int64?)
        var edit = CharacterEdit()
        var mediaType: String?
        do throws(JSONError) {
            var reader = JSONReader(Array(document.utf8))
            try reader.object { (reader, name) throws(JSONError) in
                if try reader.takeNull() { return }
                switch name {
                case "kind": kind = Kind(rawValue: try reader.string())
                case "edited_at": editedAt = try reader.int64()
                case "name": edit.name = try reader.string()
                case "description": edit.description = try reader.string()
                case "comic_count": edit.comicCount = try reader.int32()
                case "series_count": edit.seriesCount = try reader.int32()
                case "story_count": edit.storyCount = try reader.int32()
                case "event_count": edit.eventCount = try reader.int32()
                case "urls": edit.urls = try reader.storedURLs()
                case "media_type": mediaType = try reader.string()
                default: try reader.skipValue()
                }
            }
            try reader.expectEnd()
        } catch {
            throw DamagedEdit(of: id)
        }
        let pictureType = mediaType.flatMap(PictureType.init(rawValue:))
        guard id > 0, revision > 0, let kind, let editedAt, Timestamp(seconds: editedAt).isValid,
            (pictureType == nil) == (mediaType == nil)
        else { throw DamagedEdit(of: id) }
        self.init(
            id: id,
            kind: kind,
            edit: edit,
            pictureType: pictureType,
            editedAt: Timestamp(seconds: editedAt),
            revision: revision
        )
    }

    /// The picture of the edit, which is stored beside the document.
    ///
    /// - Throws: `DamagedEdit`.
    package func picture(_ bytes: [UInt8]?) throws(DamagedEdit) -> Picture? {
        guard (pictureType == nil) == (bytes == nil) else { throw DamagedEdit(of: id) }
        guard let pictureType, let bytes else { return nil }
        return Picture(bytes: bytes, mediaType: pictureType)
    }
}

extension CharacterEdit {
    func writeMembers(to json: inout JSONWriter) {
        if let name { json.field("name", name) }
        if let description { json.field("description", description) }
        if let comicCount { json.field("comic_count", comicCount) }
        if let seriesCount { json.field("series_count", seriesCount) }
        if let storyCount { json.field("story_count", storyCount) }
        if let eventCount { json.field("event_count", eventCount) }
        if let urls {
            json.key("urls")
            json.urls(urls)
        }
    }
}

extension JSONReader {
    /// Reads an array of URLs, or a string that contains one: some tables have a text column for it.
    fileprivate mutating func storedURLs() throws(JSONError) -> [CharacterURL] {
        guard try start() == .string else { return try urls() }
        return try JSONReader.read(try string()) { (reader) throws(JSONError) in try reader.urls() }
    }
}
