internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// A `SearchCharactersResponse`, assembled from encoded bytes: the catalog's characters, the fields of the call, and
/// the fields of the catalog.
///
/// It is a class: a value of this size would be boxed as a message, and copied for that.
final class PageMessage: OutgoingMessage {
    let byteCount: Int
    private let page: CharacterPage
    private let end: PageEnd

    init(_ page: consuming CharacterPage, marking favorites: [Int64], in search: borrowing CharacterSearch) {
        if let fields = search.fields { page.encoded = page.encoded.selecting(fields) }
        page.results = nil
        end = PageEnd(of: page.encoded, total: page.total, marking: favorites, in: search)
        byteCount = page.encoded.byteCount + end.byteCount(from: page.provenance)
        self.page = page
    }

    func write(to writer: inout MessageWriter) {
        page.encoded.write(to: &writer)
        end.write(from: page.provenance, to: &writer)
    }
}

/// The fields of a page after its characters: those of the call, then those of the catalog.
struct PageEnd: Sendable {
    private let callFields: SearchCharactersResponse.CallFields
    private let next: PageToken?

    /// - Parameters:
    ///   - characters: The characters of the page.
    ///   - total: The number of results over all pages.
    ///   - favorites: The ids on the list whose favorites are marked.
    ///   - search: The search.
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
