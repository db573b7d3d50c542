internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    private static let defaultLimit = 10
    private static let maximumLimit = 50

    /// Names that complete the typed text.
    func suggestNames(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try SuggestNamesRequest(call)
        let query = try CharacterService.typedQuery(request.query)
        guard request.limit >= 0 else { throw .tooLow(request.limit, field: "limit", .limitInvalid) }
        let limit = request.limit == 0 ? Self.defaultLimit : min(Int(request.limit), Self.maximumLimit)
        return try suggestions(for: query, limit: limit).step { [catalog] suggestions in
            .last(SuggestNamesResponse(suggestions, attribution: catalog.attribution).encoded())
        }
    }

    private func suggestions(for query: SearchQuery, limit: Int) throws(RPCError) -> Lookup<[NameSuggestion]> {
        do throws(CatalogError) {
            return try catalog.suggestions(for: query, limit: limit)
        } catch {
            throw RPCError(error)
        }
    }

    private static func typedQuery(_ text: String) throws(RPCError) -> SearchQuery {
        do throws(SearchQuery.Refusal) {
            return try SearchQuery(typed: text)
        } catch {
            throw RPCError(error, allowed: SearchQuery.typedLetters)
        }
    }
}

extension SuggestNamesResponse {
    /// The catalog tells how each name matches.
    fileprivate init(_ suggestions: [NameSuggestion], attribution: String) {
        self.init(
            names: suggestions.map(\.name),
            attribution: attribution,
            matches: suggestions.compactMap(\.match).map(MatchValue.init)
        )
    }
}
