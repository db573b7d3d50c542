internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    /// An invalid query never reaches the catalog.
    func searchCharacters(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try SearchCharactersRequest(call)
        let search = try CharacterSearch(request, of: call, in: self)
        let start = try CharacterService.place(request, fingerprint: search.fingerprint)
        guard request.maxPages >= 0 else { throw .tooLow(request.maxPages, field: "max_pages", .maxPagesInvalid) }
        let pagesLeft = request.maxPages == 0 ? Int.max : Int(request.maxPages)
        guard let (list, place) = try leastPlace(request, of: call) else {
            return try search.page(at: start, pagesLeft: pagesLeft)
        }
        return .later { [lists] () async throws(RPCError) in
            try await lists.wait(for: place, of: list)
            return try search.page(at: start, pagesLeft: pagesLeft)
        }
    }

    private func leastPlace(
        _ request: SearchCharactersRequest,
        of call: IncomingCall
    ) throws(RPCError) -> (ListName, CurrentLists.LeastPlace)? {
        guard !request.favoritesAtLeast.isEmpty else { return nil }
        let list = try call.list(request.list, for: .reading)
        return try lists.leastPlace(request.favoritesAtLeast, of: list, field: "favorites_at_least")
            .map { (list, $0) }
    }

    /// The token's place, after the skipped characters.
    private static func place(
        _ request: SearchCharactersRequest,
        fingerprint: SearchFingerprint
    ) throws(RPCError) -> PagePlace {
        guard request.skip >= 0 else { throw .tooLow(request.skip, field: "skip", .skipInvalid) }
        guard !request.pageToken.isEmpty else { return PagePlace(skip: Int(request.skip)) }
        do throws(PageToken.Refusal) {
            var place = try PageToken(request.pageToken, for: fingerprint).place
            place.skip = Int(request.skip)
            return place
        } catch {
            throw RPCError(error)
        }
    }
}
