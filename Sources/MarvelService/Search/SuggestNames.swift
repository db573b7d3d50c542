internal import Catalog
internal import MarvelDomain
internal import RPCCore
internal import WireMessages

extension CharacterService {
    private static let defaultLimit = 10
    private static let maximumLimit = 50

    func suggestNames(_ call: IncomingCall) throws(RPCError) -> Step {
        let request = try SuggestNamesRequest(call)
        let query = try CharacterService.typedQuery(request.query)
        guard request.limit >= 0 else { throw .tooLow(request.limit, field: "limit", .limitInvalid) }
        let limit = request.limit == 0 ? Self.defaultLimit : min(Int(request.limit), Self.maximumLimit)
        return try suggestions(for: query, limit: limit).step { [catalog] names in
            .last(SuggestionsMessage(names, catalog.attribution))
        }
    }

    private func suggestions(for query: SearchQuery, limit: Int) throws(RPCError) -> Lookup<SuggestedNames> {
        do throws(CatalogError) {
            return try catalog.suggestions(for: query, limit: limit)
        } catch {
            throw RPCError(error)
        }
    }

    private static func typedQuery(_ text: String) throws(RPCError) -> SearchQuery {
        do throws(SearchQuery.Refusal) {
            let query = try SearchQuery(typed: text)
            // Marks alone are folded to nothing, with which every name begins.
            guard !FoldedName.with(query.text, \.isEmpty) else { throw .tooShort(letters: 0) }
            return query
        } catch {
            throw RPCError(error, allowed: SearchQuery.typedLetters)
        }
    }
}

/// The names are copied from the catalog's bytes.
private final class SuggestionsMessage: OutgoingMessage {
    let byteCount: Int
    private let names: SuggestedNames
    private let tail: SuggestNamesResponse.Tail

    init(_ names: SuggestedNames, _ attribution: String) {
        self.names = names
        tail = SuggestNamesResponse.Tail(attribution: attribution, counts: names.counts)
        byteCount = names.byteCount + tail.byteCount
    }

    func write(to writer: inout MessageWriter) {
        names.write(to: &writer)
        tail.write(to: &writer)
    }
}
