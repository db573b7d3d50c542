internal import Catalog
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// `SearchCharacters`: a stream of pages. A query that breaks a rule never reaches the catalog.
    func searchCharacters(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try SearchCharactersRequest(call)
        let search = try CharacterSearch(request, in: self)
        let start = try CharacterService.offset(request, fingerprint: search.fingerprint)
        guard request.maxPages >= 0 else { throw .negative(request.maxPages, field: "max_pages") }
        return try search.page(at: start, pagesLeft: request.maxPages == 0 ? .max : Int(request.maxPages))
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
