internal import MarvelDomain
internal import Upstream

struct ReplyBody: Sendable, Hashable {
    let bytes: [UInt8]
    /// 40 hex digits: a digest of the `data` object as sent.
    let etag: String

    /// `attribution` is nil for the original's. `year` is that of the copyright notice.
    init(_ page: ReplyPage, offset: Int, limit: Int, year: Int64, attribution: String? = nil) {
        let data = JSONWriter.object { json in
            json.field("offset", offset)
            json.field("limit", limit)
            json.field("total", page.total)
            json.field("count", page.results.count)
            json.array("results", page.results) { json, result in json.json(result) }
        }
        let etag = Digest.sha1.hexadecimal(of: data)
        let notice = "© \(year) MARVEL"
        let attribution = attribution ?? "Data provided by Marvel. \(notice)"
        self.etag = etag
        self.bytes = JSONWriter.object { json in
            json.field("code", 200)
            json.field("status", "Ok")
            json.field("copyright", notice)
            json.field("attributionText", attribution)
            let html = attribution.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            json.field("attributionHTML", "<a href=\"http://marvel.com\">\(html)</a>")
            json.field("etag", etag)
            json.field("data", json: data)
        }
    }
}

struct ReplyPage: Sendable, Hashable {
    /// The number of matches on all pages.
    let total: Int
    let results: [[UInt8]]
}

extension MarvelCharacter {
    func json(_ links: ReplyLinks, lists: [ResourceKind: ResourceList]) -> [UInt8] {
        var shown = self
        shown.thumbnail = links.thumbnail(self)
        shown.urls = links.pages(self)
        var json = JSONWriter()
        json.character(shown, modified: MarvelDate.text(modifiedOrEpoch), root: links.root, lists: lists)
        return json.bytes
    }
}

struct ReplyLinks: Sendable, Hashable {
    /// Old clients search for this text; one of them finds the kind of an entity by it.
    static let originalOrigin = "http://gateway.marvel.com"

    var apiOrigin = originalOrigin
    /// Without a slash at the end. The pictures are there.
    var ownOrigin: String
    /// Appended to links to pages about a character.
    var publicKey: String
}

extension ReplyLinks {
    var root: String { "\(apiOrigin)/v1/public" }

    /// Some writers of JSON escape slashes.
    func document(_ text: String) -> String {
        guard apiOrigin != ReplyLinks.originalOrigin else { return text }
        let root = "\"\(ReplyLinks.originalOrigin)/"
        return [root, root.replacing("/", with: "\\/")].reduce(text) { $0.replacing($1, with: "\"\(apiOrigin)/") }
    }

    /// Old apps read the first two pages without looking whether they are there, so missing ones are made up.
    func pages(_ character: MarvelCharacter) -> [CharacterURL] {
        let word = character.name.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber && $0 != "-" }
        let address = "http://marvel.com/comics/characters/\(character.id)/\(word.joined(separator: "_"))"
        var pages = character.urls
        if !pages.contains(where: { $0.type == "detail" }) {
            pages.insert(CharacterURL(type: "detail", url: address), at: 0)
        }
        if !pages.contains(where: { $0.type == "comiclink" }) {
            pages.append(CharacterURL(type: "comiclink", url: address))
        }
        return pages.map { CharacterURL(type: $0.type, url: page($0)) }
    }

    /// A URL without variant and extension. This gateway draws the pictures that have no URL of their own.
    func thumbnail(_ character: MarvelCharacter) -> Thumbnail {
        if let thumbnail = character.thumbnail, thumbnail.path.contains("://") { return thumbnail }
        return Thumbnail(path: "\(ownOrigin)/emblem/\(character.id)", fileExtension: "png")
    }

    /// Adds the query items that the original appended.
    func page(_ url: CharacterURL) -> String {
        let fragment = url.url.drop { $0 != "#" }
        let address = url.url.dropLast(fragment.count)
        let separator = address.contains("?") ? "&" : "?"
        return "\(address)\(separator)utm_campaign=apiRef&utm_source=\(PercentEncoding.encoded(publicKey))\(fragment)"
    }
}
