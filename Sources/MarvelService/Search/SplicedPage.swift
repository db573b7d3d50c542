internal import Catalog
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// One `SearchCharactersResponse`, put together from ready bytes: the characters, as they lie in the catalog, the few
/// fields that differ per call, and the fields that are the catalog's.
///
/// Encodings of one message side by side are an encoding of the message (protobuf, "Last One Wins": repeated fields
/// are joined), so nothing is encoded here but the middle part.
struct SplicedPage: OutgoingMessage {
    private let page: CharacterPage
    private let callFields: ByteBuffer

    init(_ page: consuming CharacterPage, in search: CharacterSearch) {
        self.callFields = SearchCharactersResponse(
            total: Int32(clamping: page.total),
            nextPageToken: page.nextOffset.map { PageToken(offset: $0, fingerprint: search.fingerprint).text } ?? "",
            favoriteIDs: SplicedPage.favoriteIDs(page, in: search)
        ).encoded()
        self.page = page
    }

    var byteCount: Int {
        page.encodedByteCount + callFields.readableBytes + page.provenance.encodedPageTail.readableBytes
    }

    func write(into buffer: inout ByteBuffer) {
        page.writeEncoded(into: &buffer)
        buffer.writeImmutableBuffer(callFields)
        buffer.writeImmutableBuffer(page.provenance.encodedPageTail)
    }

    /// Which of the page's characters are on the caller's list now, in the page's order.
    private static func favoriteIDs(_ page: CharacterPage, in search: CharacterSearch) -> [Int64] {
        let favorites = search.store.favoriteIDs(search.list)
        return favorites.isEmpty ? [] : page.ids.filter(favorites.contains)
    }
}
