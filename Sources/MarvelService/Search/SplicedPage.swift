internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// One `SearchCharactersResponse`, assembled from encoded bytes: the characters from the catalog, the few fields that
/// differ per call, and the fields of the catalog.
///
/// It is a class: a value of this size would be boxed as a message, and copied for that.
final class SplicedPage: OutgoingMessage {
    let byteCount: Int
    private let page: CharacterPage
    private let fingerprint: SearchFingerprint
    private let callFields: SearchCharactersResponse.CallFields

    init(_ page: consuming CharacterPage, marking favorites: [Int64], in search: borrowing CharacterSearch) {
        callFields = SearchCharactersResponse.CallFields(
            total: Int32(clamping: page.total),
            tokenLength: page.nextOffset == nil ? 0 : PageToken.textLength,
            // The ids are in the page's order.
            favoriteIDs: favorites.isEmpty ? [] : page.ids.filter(favorites.contains)
        )
        fingerprint = search.fingerprint
        byteCount = page.encodedByteCount + callFields.byteCount + page.provenance.encodedPageTail.readableBytes
        self.page = page
    }

    /// Returns the page to be sent again when the same request is made; nil if it marks favorites, which may change, or
    /// is long.
    func answer(to request: ByteBuffer, list: ListName) -> RecentAnswers.Answer? {
        guard !callFields.marksFavorites, byteCount <= RecentAnswers.maximumByteCount else { return nil }
        var bytes = ByteBuffer()
        bytes.write(byteCount: byteCount) { write(to: &$0) }
        return RecentAnswers.Answer(.page, to: request, list: list, ids: page.ids, message: EncodedMessage(bytes))
    }

    func write(to writer: inout MessageWriter) {
        page.writeEncoded(to: &writer)
        callFields.write(to: &writer) { writer in
            guard let next = page.nextOffset else { return }
            PageToken(offset: next, lastID: page.lastID, fingerprint: fingerprint).write(to: &writer)
        }
        writer.write(page.provenance.encodedPageTail)
    }
}
