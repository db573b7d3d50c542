internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    static let defaultPageSize = 10
    static let maximumPageSize = 100

    /// `SearchCharacters`: a stream of pages. A query that breaks a rule never reaches the catalog.
    func searchCharacters(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try SearchCharactersRequest(call)
        let search = try CharacterSearch(request, in: self)
        let start = try CharacterService.offset(request, fingerprint: search.fingerprint)
        guard request.maxPages >= 0 else { throw .negative(request.maxPages, field: "max_pages") }
        let pages = request.maxPages == 0 ? Int.max : Int(request.maxPages)
        return try SearchPages(search: search, offset: start, pagesLeft: pages).next()
    }

    /// The results before the first page: those before the token's place, and then those to skip.
    private static func offset(
        _ request: SearchCharactersRequest,
        fingerprint: SearchFingerprint
    ) throws(RPCError) -> Int {
        guard request.skip >= 0 else { throw .negative(request.skip, field: "skip") }
        guard !request.pageToken.isEmpty else { return Int(request.skip) }
        do throws(PageToken.Refusal) {
            return try PageToken(request.pageToken, for: fingerprint).offset + Int(request.skip)
        } catch {
            throw RPCError(error)
        }
    }
}

/// What stays the same from page to page. A class, so that every page's rest of the stream shares it.
final class CharacterSearch: Sendable {
    let catalog: any CharacterCatalog
    let store: any FavoritesStore
    let list: ListName
    let query: SearchQuery
    let match: Match
    let pageSize: Int
    let fingerprint: SearchFingerprint

    init(_ request: SearchCharactersRequest, in service: CharacterService) throws(RPCError) {
        guard let match = request.match.match else { throw .matchUnsupported(request.match) }
        do throws(SearchQuery.Refusal) {
            self.query = try SearchQuery(request.query)
        } catch {
            throw RPCError(error)
        }
        self.match = match
        self.pageSize = try CharacterSearch.pageSize(request.pageSize)
        self.list = try ListName(request: request.list)
        self.catalog = service.catalog
        self.store = service.store
        self.fingerprint = SearchFingerprint(query: query, match: match, catalog: service.catalog.kind)
    }

    /// AIP-158: 0 is the default, too large is lowered, negative is an error.
    private static func pageSize(_ asked: Int32) throws(RPCError) -> Int {
        guard asked >= 0 else { throw .negative(asked, field: "page_size") }
        return asked == 0 ? CharacterService.defaultPageSize : min(Int(asked), CharacterService.maximumPageSize)
    }
}
