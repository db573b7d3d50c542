package import MarvelDomain

extension JSONWriter {
    /// Writes a character as the API shows it, its keys in the order of the contract. A catalog has the number of
    /// comics, not the comics: the lists have no items.
    ///
    /// - Parameters:
    ///   - character: The character, with the addresses to show.
    ///   - modified: The character's date, as text.
    ///   - resource: The character's own URL, with which the URLs of its lists begin.
    ///   - more: Writes further members after the API's own.
    package mutating func character(
        _ character: MarvelCharacter,
        modified: String,
        resource: String,
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        object { json in
            json.field("id", character.id)
            json.field("name", character.name)
            json.field("description", character.description)
            json.field("modified", modified)
            json.thumbnail(character.thumbnail)
            json.field("resourceURI", resource)
            json.list("comics", character.comicCount, resource)
            json.list("series", character.seriesCount, resource)
            json.list("stories", character.storyCount, resource)
            json.list("events", character.eventCount, resource)
            json.key("urls")
            json.urls(character.urls)
            more(&json)
        }
    }

    private mutating func thumbnail(_ thumbnail: Thumbnail?) {
        guard let thumbnail else { return field("thumbnail", json: "null") }
        object("thumbnail") { json in
            json.field("path", thumbnail.path)
            json.field("extension", thumbnail.fileExtension)
        }
    }

    private mutating func list(_ name: String, _ available: Int32, _ resource: String) {
        object(name) { json in
            json.field("available", available)
            json.field("collectionURI", resource + "/" + name)
            json.array("items", EmptyCollection<Never>()) { _, _ in }
            json.field("returned", 0)
        }
    }
}
