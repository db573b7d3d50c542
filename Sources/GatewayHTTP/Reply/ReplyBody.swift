internal import MarvelDomain
internal import Upstream

struct ReplyBody: Sendable, Hashable {
    let bytes: [UInt8]
    /// The tag, 40 hex digits: a digest of the `data` object as sent, so that the tag is the same for every caller.
    let etag: String

    /// - Parameters:
    ///   - page: The results to send, and the number of matches.
    ///   - offset: The offset in the request.
    ///   - limit: The limit in the request.
    ///   - year: The year of the copyright notice.
    ///   - attribution: The line that must be shown with the data; nil for the original's.
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

/// The results of a reply, each as JSON.
struct ReplyPage: Sendable, Hashable {
    /// The number of matches, on this page and on all others.
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
