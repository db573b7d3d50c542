internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

/// A valid search: the values that stay the same from page to page.
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
        guard let match = request.match.match else {
            throw .matchUnsupported(request.match, supported: service.catalog.matches)
        }
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

    /// Validates a page size as in AIP-158: 0 is the default, too large is lowered, negative is an error.
    private static func pageSize(_ asked: Int32) throws(RPCError) -> Int {
        guard asked >= 0 else { throw .negative(asked, field: "page_size", .pageSizeInvalid) }
        return asked == 0 ? defaultPageSize : min(Int(asked), maximumPageSize)
    }

    /// Returns the page that begins at a place, and the source of those after it.
    ///
    /// - Parameters:
    ///   - place: The start of the page.
    ///   - pagesLeft: The number of pages that the caller still wants, this one included; at least 1.
    /// - Returns: The page, or the work of fetching it.
    /// - Throws: UNIMPLEMENTED if the catalog cannot compare names in that way; PAGE_TOKEN_INVALID if the place no
    ///   longer exists.
    func page(at place: PagePlace, pagesLeft: Int) throws(RPCError) -> Step {
        let lookup: Lookup<CharacterPage>
        do throws(CatalogError) {
            lookup = try service.catalog.search(query, match: match, at: place, limit: pageSize)
        } catch {
            if case .matchUnsupported(let match) = error {
                throw .matchUnsupported(MatchValue(match), supported: service.catalog.matches)
            }
            throw RPCError(error)
        }
        // The hot path: a page from memory needs no closure, and is moved, not copied.
        switch consume lookup {
        case .ready(let page): return step(page, pagesLeft)
        case .later(let fetch): return try Lookup.later(fetch).step { page in step(page, pagesLeft) }
        }
    }

    /// Sends a page. The favorites on it are looked up now, for each page anew.
    fileprivate func step(_ page: consuming CharacterPage, _ pagesLeft: Int) -> Step {
        guard let favorites = service.lists.ids(of: list) else { return later(page, pagesLeft) }
        return step(page, marking: favorites, pagesLeft)
    }

    /// Sends a page of which the favorites are not in memory, as before the lists were read.
    private func later(_ page: CharacterPage, _ pagesLeft: Int) -> Step {
        .later { () async throws(RPCError) in
            step(page, marking: await service.lists.loadedIDs(of: list), pagesLeft)
        }
    }

    private func step(_ page: consuming CharacterPage, marking favorites: [Int64], _ pagesLeft: Int) -> Step {
        let next = pagesLeft > 1 ? page.nextOffset : nil
        let rest = next.map { offset in
            let place = PagePlace(offset: offset, lastID: page.lastID)
            return FollowingPages(of: self, page.results, place: place, pagesLeft: pagesLeft - 1)
        }
        return .message(SplicedPage(page, marking: favorites, in: self), then: rest)
    }
}

/// The pages after one that was sent. It holds no page: a stream may wait long for its client.
private final class FollowingPages: MessageSource {
    private let search: CharacterSearch
    private let results: SearchResults?
    /// The start of the next page. It skips nothing: the first page did that.
    private let start: PagePlace
    private let pagesLeft: Int

    init(of search: CharacterSearch, _ results: SearchResults?, place: PagePlace, pagesLeft: Int) {
        self.search = search
        self.results = results
        self.start = place
        self.pagesLeft = pagesLeft
    }

    var place: [String: String] {
        ["page_token": PageToken(offset: start.offset, lastID: start.lastID, fingerprint: search.fingerprint).text]
    }

    func next() throws(RPCError) -> Step {
        guard let results else { return try search.page(at: start, pagesLeft: pagesLeft) }
        return search.step(results.page(at: start.offset, limit: search.pageSize), pagesLeft)
    }
}
