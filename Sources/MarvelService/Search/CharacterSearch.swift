internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

/// A search that keeps every rule: what stays the same from page to page.
struct CharacterSearch: Sendable {
    static let defaultPageSize = 10
    static let maximumPageSize = 100

    let service: CharacterService
    let query: SearchQuery
    let match: Match
    let pageSize: Int
    let list: ListName
    let fingerprint: SearchFingerprint

    init(_ request: borrowing SearchCharactersRequest, in service: CharacterService) throws(RPCError) {
        let query = try CharacterSearch.query(request.query)
        guard let match = request.match.match else { throw .matchUnsupported(request.match) }
        let pageSize = try CharacterSearch.pageSize(request.pageSize)
        let list = try ListName(request: request.list)
        self.service = service
        self.query = query
        self.match = match
        self.pageSize = pageSize
        self.list = list
        self.fingerprint = SearchFingerprint(query: query, match: match, catalog: service.catalog.kind)
    }

    private static func query(_ text: String) throws(RPCError) -> SearchQuery {
        do throws(SearchQuery.Refusal) {
            return try SearchQuery(text)
        } catch {
            throw RPCError(error)
        }
    }

    /// AIP-158: 0 is the default, too large is lowered, negative is an error.
    private static func pageSize(_ asked: Int32) throws(RPCError) -> Int {
        guard asked >= 0 else { throw .negative(asked, field: "page_size") }
        return asked == 0 ? defaultPageSize : min(Int(asked), maximumPageSize)
    }

    /// The page that begins behind `offset` results, and what comes after it.
    ///
    /// - Parameters:
    ///   - offset: 0 or more.
    ///   - pagesLeft: How many pages the caller still wants, this one included; at least 1.
    /// - Returns: The page, or the work of fetching it.
    /// - Throws: UNIMPLEMENTED if the catalog cannot compare names in that way.
    func page(at offset: Int, pagesLeft: Int) throws(RPCError) -> Step {
        let lookup: Lookup<CharacterPage>
        do throws(CatalogError) {
            lookup = try service.catalog.search(query, match: match, offset: offset, limit: pageSize)
        } catch {
            throw RPCError(error)
        }
        // The hot path: a page from memory needs no closure, and is moved, not copied.
        switch consume lookup {
        case .ready(let page): return step(page, pagesLeft)
        case .later(let fetch): return try Lookup.later(fetch).step { page in step(page, pagesLeft) }
        }
    }

    fileprivate func step(_ page: consuming CharacterPage, _ pagesLeft: Int) -> Step {
        let next = pagesLeft > 1 ? page.nextOffset : nil
        let rest = next.map { FollowingPages(of: self, page.results, offset: $0, pagesLeft: pagesLeft - 1) }
        return .message(SplicedPage(page, in: self), then: rest)
    }
}

/// The pages behind one that was sent. It holds no page: a stream may wait long for its client.
private final class FollowingPages: MessageSource {
    private let search: CharacterSearch
    private let results: SearchResults?
    private let offset: Int
    private let pagesLeft: Int

    init(of search: CharacterSearch, _ results: SearchResults?, offset: Int, pagesLeft: Int) {
        self.search = search
        self.results = results
        self.offset = offset
        self.pagesLeft = pagesLeft
    }

    var place: [String: String] {
        ["page_token": PageToken(offset: offset, fingerprint: search.fingerprint).text]
    }

    func next() throws(RPCError) -> Step {
        guard let results else { return try search.page(at: offset, pagesLeft: pagesLeft) }
        return search.step(results.page(at: offset, limit: search.pageSize), pagesLeft)
    }
}
