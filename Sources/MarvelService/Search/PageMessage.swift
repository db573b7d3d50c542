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

    init(_ page: consuming CharacterPage, marking favorites: [Int64], in search: borrowing CharacterSearch) {
        characters = if let fields = search.fields { page.encoded.selecting(fields) } else { page.encoded }
        provenance = page.provenance
        end = PageEnd(of: characters, total: page.total, marking: favorites, in: search)
        byteCount = characters.byteCount + end.byteCount(from: provenance)
    }

    func write(to writer: inout MessageWriter) {
        characters.write(to: &writer)
        end.write(from: provenance, to: &writer)
    }
}

struct PageEnd: Sendable {
    private let callFields: SearchCharactersResponse.CallFields
    private let next: PageToken?

    /// `total` counts all pages. `favorites` are the ids on the list whose favorites are marked.
    init(
        of characters: borrowing PageCharacters,
        total: Int,
        marking favorites: [Int64],
        in search: borrowing CharacterSearch
    ) {
        next = if let place = characters.nextPlace { search.token(of: place) } else { nil }
        callFields = SearchCharactersResponse.CallFields(
            total: Int32(clamping: total),
            tokenLength: next == nil ? 0 : PageToken.textLength,
            favoriteIDs: characters.ids(among: favorites)
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
