internal import MarvelDomain

/// A successful answer's JSON, its keys in the order of MARVEL_API section 5.
package struct ReplyBody: Sendable, Hashable {
    package let bytes: [UInt8]
    /// 40 hex digits: a digest of the `data` object as sent, so that the same content has the same tag whoever asks.
    package let etag: String

    /// - Parameters:
    ///   - page: The characters to send, and how many match in all.
    ///   - offset: As asked.
    ///   - limit: As asked.
    ///   - year: Of the copyright notice.
    ///   - links: The addresses to give out.
    package init(_ page: ResultPage, offset: Int, limit: Int, year: Int64, links: ReplyLinks) {
        let data = JSONWriter.object { json in
            json.field("offset", offset)
            json.field("limit", limit)
            json.field("total", page.total)
            json.field("count", page.characters.count)
            json.array("results", page.characters) { json, character in json.character(character, links) }
        }
        let etag = EntityTag.digest(data)
        let notice = "© \(year) MARVEL"
        let attribution = "Data provided by Marvel. \(notice)"
        self.etag = etag
        self.bytes = JSONWriter.object { json in
            json.field("code", 200)
            json.field("status", "Ok")
            json.field("copyright", notice)
            json.field("attributionText", attribution)
            json.field("attributionHTML", "<a href=\"http://marvel.com\">\(attribution)</a>")
            json.field("etag", etag)
            json.field("data", json: data)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func character(_ character: MarvelCharacter, _ links: ReplyLinks) {
        object { json in
            json.field("id", character.id)
            json.field("name", character.name)
            json.field("description", character.description)
            json.field("modified", EasternTime.text(character.modifiedOrEpoch))
            let thumbnail = links.thumbnail(character)
            json.object("thumbnail") { json in
                json.field("path", thumbnail.path)
                json.field("extension", thumbnail.fileExtension)
            }
            json.field("resourceURI", links.resource(character))
            for (relation, count) in character.relationCounts {
                json.list(relation, available: count, links.collection(character, relation))
            }
            json.array("urls", character.urls) { json, url in
                json.object { json in
                    json.field("type", url.type)
                    json.field("url", links.page(url))
                }
            }
        }
    }

    /// A catalog here knows how many comics there are, not which.
    private mutating func list(_ relation: Relation, available: Int32, _ collection: String) {
        object(relation.rawValue) { json in
            json.field("available", available)
            json.field("collectionURI", collection)
            json.array("items", EmptyCollection<Never>()) { _, _ in }
            json.field("returned", 0)
        }
    }
}

extension MarvelCharacter {
    /// In the order of the original's keys.
    fileprivate var relationCounts: [(Relation, Int32)] {
        [(.comics, comicCount), (.series, seriesCount), (.stories, storyCount), (.events, eventCount)]
    }
}
