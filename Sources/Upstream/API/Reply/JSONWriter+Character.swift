package import MarvelDomain

extension JSONWriter {
    /// `root` is the URL of the API; `more` writes members after the API's own.
    package mutating func character(
        _ character: MarvelCharacter,
        modified: String,
        root: String,
        lists: [ResourceKind: ResourceList] = [:],
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        let resource = "\(root)/characters/\(character.id)"
        func list(_ json: inout JSONWriter, _ kind: ResourceKind, _ count: Int32) {
            json.list(kind, lists[kind] ?? ResourceList(available: 0, items: []), count, resource, root)
        }
        object { json in
            json.field("id", character.id)
            json.field("name", character.name)
            json.field("description", character.description)
            json.field("modified", modified)
            json.thumbnail(character.thumbnail)
            json.field("resourceURI", resource)
            list(&json, .comics, character.comicCount)
            list(&json, .series, character.seriesCount)
            list(&json, .stories, character.storyCount)
            list(&json, .events, character.eventCount)
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

    private mutating func list(
        _ kind: ResourceKind,
        _ list: ResourceList,
        _ available: Int32,
        _ resource: String,
        _ root: String
    ) {
        object(kind.rawValue) { json in
            json.field("available", max(Int(available), list.available))
            json.field("collectionURI", "\(resource)/\(kind.rawValue)")
            json.array("items", list.items) { json, item in
                json.object { json in
                    json.field("resourceURI", "\(root)/\(kind.rawValue)/\(item.id.number)")
                    json.field("name", item.name)
                    if kind == .stories { json.field("type", item.type) }
                }
            }
            json.field("returned", list.items.count)
        }
    }
}
