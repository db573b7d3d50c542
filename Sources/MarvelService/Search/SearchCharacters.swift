internal import Catalog
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// `SearchCharacters`: a stream of pages. A query that breaks a rule never reaches the catalog.
    func searchCharacters(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try SearchCharactersRequest(call)
        let search = try CharacterSearch(request, in: self)
        let start = try CharacterService.place(request, fingerprint: search.fingerprint)
        guard request.maxPages >= 0 else { throw .negative(request.maxPages, field: "max_pages") }
        return try search.page(at: start, pagesLeft: request.maxPages == 0 ? .max : Int(request.maxPages))
    }

    /// Where the first page begins: at the token's place, behind those to skip.
    private static func place(
        _ request: SearchCharactersRequest,
        fingerprint: SearchFingerprint
    ) throws(RPCError) -> PagePlace {
        guard request.skip >= 0 else { throw .negative(request.skip, field: "skip") }
        guard !request.pageToken.isEmpty else { return PagePlace(skip: Int(request.skip)) }
        do throws(PageToken.Refusal) {
            let token = try PageToken(request.pageToken, for: fingerprint)
            return PagePlace(offset: token.offset, lastID: token.lastID, skip: Int(request.skip))
        } catch {
            throw RPCError(error)
        }
    }
}
