internal import Digests
internal import MarvelAPI
internal import MarvelDomain

/// The JSON of a successful reply, its keys in the order of the contract.
struct ReplyBody: Sendable, Hashable {
    let bytes: [UInt8]
    /// The tag, 40 hex digits: a digest of the `data` object as sent, so that the tag is the same for every caller.
    let etag: String

    /// - Parameters:
    ///   - page: The characters to send, and the number of matches.
    ///   - offset: The offset in the request.
    ///   - limit: The limit in the request.
    ///   - year: The year of the copyright notice.
    ///   - links: The URLs in the reply.
    init(_ page: ResultPage, offset: Int, limit: Int, year: Int64, links: ReplyLinks) {
        let data = JSONWriter.object { json in
            json.field("offset", offset)
            json.field("limit", limit)
            json.field("total", page.total)
            json.field("count", page.characters.count)
            json.array("results", page.characters) { json, character in json.character(character, links) }
        }
        let etag = Digest.sha1.hexadecimal(of: data)
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
        var shown = character
        shown.thumbnail = links.thumbnail(character)
        shown.urls = character.urls.map { CharacterURL(type: $0.type, url: links.page($0)) }
        self.character(
            shown,
            modified: MarvelDate.text(character.modifiedOrEpoch),
            resource: links.resource(character)
        )
    }
}
