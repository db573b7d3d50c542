internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

/// The values stay the same from page to page.
struct CharacterSearch: Sendable {
    static let defaultPageSize = 10
    static let maximumPageSize = 100

    let service: CharacterService
    let query: SearchQuery
    let match: Match
    let pageSize: Int
    /// Nil for all.
    let fields: CharacterFields?
    let list: ListName?
    let fingerprint: SearchFingerprint

    init(
        _ request: borrowing SearchCharactersRequest,
        of call: borrowing IncomingCall,
        in service: CharacterService
    ) throws(RPCError) {
        let query = try CharacterSearch.query(request.query)
        guard let match = request.match.match else {
            throw .matchUnsupported(request.match, supported: service.catalog.matches)
        }
        let pageSize = try CharacterSearch.pageSize(request.pageSize)
        let fields = try request.readMask.flatMap(CharacterSearch.fields)
        let list = try call.markingList(request.list)
        self.service = service
        self.query = query
        self.match = match
        self.pageSize = pageSize
        self.fields = fields
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
        guard asked >= 0 else { throw .tooLow(asked, field: "page_size", .pageSizeInvalid) }
        return asked == 0 ? defaultPageSize : min(Int(asked), maximumPageSize)
    }

    private static func fields(_ mask: FieldMask) throws(RPCError) -> CharacterFields? {
        do throws(CharacterFields.UnknownPath) {
            return try CharacterFields(mask)
        } catch {
            throw RPCError(error)
        }
    }

    /// `pagesLeft` is at least 1 and includes this page. Throws UNIMPLEMENTED if the catalog does not support the
    /// match; PAGE_TOKEN_INVALID if the place no longer exists.
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
        // The hot path: a page from memory needs no closure.
        switch lookup {
        case .ready(let page): return step(page, pagesLeft)
        case .later(let fetch): return try Lookup.later(fetch).step { page in step(page, pagesLeft) }
        }
    }

    /// Each page has the favorites at its own time.
    private func step(_ page: CharacterPage, _ pagesLeft: Int) -> Step {
        guard let list else { return step(page, marking: [], pagesLeft) }
        guard let favorites = service.lists.ids(of: list) else { return later(page, pagesLeft) }
        return step(page, marking: favorites, pagesLeft)
    }

    /// The favorites are not in memory, as before the lists were read.
    func later(_ page: CharacterPage, _ pagesLeft: Int) -> Step {
        .later { () async throws(RPCError) in
            guard let list else { return step(page, marking: [], pagesLeft) }
            return step(page, marking: await service.lists.loadedIDs(of: list), pagesLeft)
        }
    }

    private func step(_ page: CharacterPage, marking favorites: [Int64], _ pagesLeft: Int) -> Step {
        let rest: (any MessageSource)? = pagesLeft > 1 ? pages(after: page, pagesLeft - 1) : nil
        return .message(PageMessage(page, marking: favorites, in: self), then: rest)
    }

    /// Nil after the last page.
    private func pages(after page: CharacterPage, _ pagesLeft: Int) -> (any MessageSource)? {
        guard let start = page.encoded.nextPlace else { return nil }
        if let results = page.results { return FoundPages(of: self, results, from: start, pagesLeft: pagesLeft) }
        return SearchedPages(of: self, from: start, pagesLeft: pagesLeft)
    }

    func continuation(at place: PagePlace) -> [String: String] {
        ["page_token": token(of: place).text]
    }

    func token(of place: PagePlace) -> PageToken {
        PageToken(place, fingerprint: fingerprint)
    }
}
