internal import CMarvelMessages
package import MarvelDomain
package import NIOCore

/// A character as `marvel.v1.Character`.
extension MarvelCharacter {
    package func encodedWireForm() -> ByteBuffer {
        var buffer = ByteBuffer()
        pack(into: &buffer)
        return buffer
    }

    /// Decodes all readable bytes.
    ///
    /// - Throws: `WireError`, like every message.
    package init(decodingWireForm bytes: ByteBuffer, limit: DecodingLimit = .response) throws(WireError) {
        try self.init(unpackingReadableBytesOf: bytes, name: "marvel.v1.Character", limit: limit)
    }
}

extension MarvelCharacter: ProtobufCoded {
    static var initialize: CInitializer<Marvel__V1__Character> { marvel__v1__character__init }

    init(copying message: Marvel__V1__Character) throws(WireError) {
        self.init(
            id: message.id,
            name: try message.name.text("name"),
            description: try message.description.text("description"),
            modified: try Timestamp(copying: message.modified, field: "modified"),
            thumbnail: try Thumbnail(copying: message.thumbnail, field: "thumbnail"),
            comicCount: message.comic_count,
            seriesCount: message.series_count,
            storyCount: message.story_count,
            eventCount: message.event_count,
            urls: try [CharacterURL](copying: message.urls, count: message.n_urls, field: "urls")
        )
    }

    func fill(_ message: inout Marvel__V1__Character, in arena: inout EncodingArena) {
        message.id = id
        message.name = arena.text(name)
        message.description = arena.text(description)
        message.modified = modified.map { arena.message($0) }
        message.thumbnail = thumbnail.map { arena.message($0) }
        message.comic_count = comicCount
        message.series_count = seriesCount
        message.story_count = storyCount
        message.event_count = eventCount
        message.n_urls = urls.count
        message.urls = arena.messages(urls)
    }
}

extension Thumbnail: ProtobufCoded {
    static var initialize: CInitializer<Marvel__V1__Thumbnail> { marvel__v1__thumbnail__init }

    init(copying message: Marvel__V1__Thumbnail) throws(WireError) {
        self.init(
            path: try message.path.text("path"),
            fileExtension: try message.file_extension.text("file_extension")
        )
    }

    func fill(_ message: inout Marvel__V1__Thumbnail, in arena: inout EncodingArena) {
        message.path = arena.text(path)
        message.file_extension = arena.text(fileExtension)
    }
}

extension CharacterURL: ProtobufCoded {
    static var initialize: CInitializer<Marvel__V1__CharacterUrl> { marvel__v1__character_url__init }

    init(copying message: Marvel__V1__CharacterUrl) throws(WireError) {
        self.init(type: try message.type.text("type"), url: try message.url.text("url"))
    }

    func fill(_ message: inout Marvel__V1__CharacterUrl, in arena: inout EncodingArena) {
        message.type = arena.text(type)
        message.url = arena.text(url)
    }
}
