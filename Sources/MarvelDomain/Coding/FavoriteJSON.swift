/// The JSON of favorites in stores and in exports of lists:
///
///     {"character":{"comics":0,"description":"","events":0,"id":1,"modified":{"nanoseconds":0,"seconds":1},
///     "name":"A","series":0,"stories":0,"thumbnail":{"fileExtension":"png","path":"p"},
///     "urls":[{"type":"wiki","url":"u"}]},"savedAt":{"nanoseconds":0,"seconds":1700000000}}
///
/// Member names never change, because existing stores contain them. Later members are optional, and unknown members are
/// skipped. `modified` and `thumbnail` are optional.
package enum FavoriteJSON {
    package static func utf8(_ favorite: Favorite) -> [UInt8] {
        var json = JSONWriter()
        json.favorite(head: head(favorite.character), end: end(favorite.savedAt))
        return json.bytes
    }

    /// The text of a favorite up to the time at which it was saved, which depends on its character alone.
    static func head(_ character: MarvelCharacter) -> [UInt8] {
        var json = JSONWriter()
        json.reserveCapacity(1024)
        json.append(#"{"character":"#)
        json.character(character)
        json.append(#","savedAt":{"nanoseconds":"#)
        return json.bytes
    }

    /// The rest of the text.
    static func end(_ savedAt: Timestamp) -> [UInt8] {
        var json = JSONWriter()
        json.append(decimal: Int64(savedAt.nanoseconds))
        json.append(#","seconds":"#)
        json.append(decimal: savedAt.seconds)
        json.append("}}")
        return json.bytes
    }

    package static func favorite(_ text: String) throws(JSONError) -> Favorite { try favorite(utf8: Array(text.utf8)) }

    package static func favorite(utf8 text: [UInt8]) throws(JSONError) -> Favorite {
        try JSONReader.read(text) { (reader) throws(JSONError) in try reader.favorite() }
    }

    package static func favorites(_ text: String) throws(JSONError) -> [Favorite] {
        try JSONReader.read(text) { (reader) throws(JSONError) in try reader.favorites() }
    }
}

// MARK: Writing

extension JSONWriter {
    /// Writes a favorite in few steps: each change has one or two.
    mutating func favorite(head: [UInt8], end: [UInt8]) {
        json(head)
        append(end)
    }

    fileprivate mutating func character(_ character: MarvelCharacter) {
        object { json in
            json.field("comics", character.comicCount)
            json.field("description", character.description)
            json.field("events", character.eventCount)
            json.field("id", character.id)
            if let modified = character.modified { json.field("modified", modified) }
            json.field("name", character.name)
            json.field("series", character.seriesCount)
            json.field("stories", character.storyCount)
            if let thumbnail = character.thumbnail {
                json.object("thumbnail") { json in
                    json.field("fileExtension", thumbnail.fileExtension)
                    json.field("path", thumbnail.path)
                }
            }
            json.key("urls")
            json.urls(character.urls)
        }
    }

    fileprivate mutating func field(_ name: String, _ time: Timestamp) {
        object(name) { json in
            json.field("nanoseconds", time.nanoseconds)
            json.field("seconds", time.seconds)
        }
    }

    package mutating func urls(_ urls: [CharacterURL]) {
        array { json in
            for url in urls {
                json.object { json in
                    json.field("type", url.type)
                    json.field("url", url.url)
                }
            }
        }
    }
}

// MARK: Reading

extension JSONReader {
    package mutating func favorites() throws(JSONError) -> [Favorite] {
        var favorites: [Favorite] = []
        try array { (reader) throws(JSONError) in favorites.append(try reader.favorite()) }
        return favorites
    }

    package mutating func favorite() throws(JSONError) -> Favorite {
        var favorite = Favorite(character: MarvelCharacter(id: 0, name: ""), savedAt: Timestamp(seconds: 0))
        try object(requiring: ["character", "savedAt"]) { (reader, name) throws(JSONError) in
            switch name {
            case "character": favorite.character = try reader.character()
            case "savedAt": favorite.savedAt = try reader.time()
            default: try reader.skipValue()
            }
        }
        return favorite
    }

    private static let characterNames = ["comics", "description", "events", "id", "name", "series", "stories", "urls"]

    private mutating func character() throws(JSONError) -> MarvelCharacter {
        var character = MarvelCharacter(id: 0, name: "")
        try object(requiring: JSONReader.characterNames) { (reader, name) throws(JSONError) in
            switch name {
            case "comics": character.comicCount = try reader.int32()
            case "description": character.description = try reader.string()
            case "events": character.eventCount = try reader.int32()
            case "id": character.id = try reader.int64()
            case "modified": character.modified = try reader.takeNull() ? nil : try reader.time()
            case "name": character.name = try reader.string()
            case "series": character.seriesCount = try reader.int32()
            case "stories": character.storyCount = try reader.int32()
            case "thumbnail": character.thumbnail = try reader.takeNull() ? nil : try reader.thumbnail()
            case "urls": character.urls = try reader.urls()
            default: try reader.skipValue()
            }
        }
        return character
    }

    private mutating func time() throws(JSONError) -> Timestamp {
        var time = Timestamp(seconds: 0)
        try object(requiring: ["nanoseconds", "seconds"]) { (reader, name) throws(JSONError) in
            switch name {
            case "nanoseconds": time.nanoseconds = try reader.int32()
            case "seconds": time.seconds = try reader.int64()
            default: try reader.skipValue()
            }
        }
        return time
    }

    private mutating func thumbnail() throws(JSONError) -> Thumbnail {
        var thumbnail = Thumbnail(path: "", fileExtension: "")
        try object(requiring: ["fileExtension", "path"]) { (reader, name) throws(JSONError) in
            switch name {
            case "fileExtension": thumbnail.fileExtension = try reader.string()
            case "path": thumbnail.path = try reader.string()
            default: try reader.skipValue()
            }
        }
        return thumbnail
    }

    package mutating func urls() throws(JSONError) -> [CharacterURL] {
        var urls: [CharacterURL] = []
        try array { (reader) throws(JSONError) in
            var url = CharacterURL(type: "", url: "")
            try reader.object(requiring: ["type", "url"]) { (reader, name) throws(JSONError) in
                switch name {
                case "type": url.type = try reader.string()
                case "url": url.url = try reader.string()
                default: try reader.skipValue()
                }
            }
            urls.append(url)
        }
        return urls
    }
}
