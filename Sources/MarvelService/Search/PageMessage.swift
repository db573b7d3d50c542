internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// A `SearchCharactersResponse`, assembled from encoded bytes. A class: a value of this size would be boxed, and copied
/// for that.
final class PageMessage: OutgoingMessage {
    let byteCount: Int
    private let characters: PageCharacters
    private let end: PageEnd
    private let provenance: Provenance

    init(_ page: CharacterPage, marking favorites: [Int64], in search: borrowing CharacterSearch) {
        // Not the page: a message that waits for its peer would hold the results of its search.
        characters = if let fields = search.fields { page.encoded.selecting(fields) } else { page.encoded }
        let ids = characters.ids(among: favorites)
        let end = PageEnd(total: page.total, next: characters.nextPlace, favoriteIDs: ids, in: search)
        byteCount = characters.byteCount + end.byteCount(from: page.provenance)
        provenance = page.provenance
        self.end = end
    }

    func write(to writer: inout MessageWriter) {
        characters.write(to: &writer)
        end.write(from: provenance, to: &writer)
    }
}

struct PageEnd: Sendable {
    private let callFields: SearchCharactersResponse.CallFields
    private let next: PageToken?

    /// `total` counts all pages. `favoriteIDs` are those of the page that are on the list whose favorites are marked.
    init(total: Int, next place: PagePlace?, favoriteIDs: [Int64], in search: borrowing CharacterSearch) {
        next = if let place { search.token(of: place) } else { nil }
        callFields = SearchCharactersResponse.CallFields(
            total: Int32(clamping: total),
            tokenLength: next == nil ? 0 : PageToken.textLength,
            favoriteIDs: favoriteIDs
        )
    }

    func byteCount(from provenance: Provenance) -> Int {
        callFields.byteCount + provenance.encodedPageTail.readableBytes
    }

    func write(from provenance: Provenance, to writer: inout MessageWriter) {
        callFields.write(to: &writer) { next?.write(to: &$0) }
        writer.write(provenance.encodedPageTail)
    }
}
