package import NIOCore
package import WireMessages

/// The attribution and freshness of data, and their encoding for the end of a page.
///
/// It is a class, because every page of a catalog in memory refers to the same one.
package final class Provenance: Sendable {
    /// The line that must be shown with the data.
    package let attribution: String
    package let freshness: Freshness
    /// A `SearchCharactersResponse` with `attribution` and `freshness` and nothing else.
    package let encodedPageTail: ByteBuffer

    package init(attribution: String, freshness: Freshness) {
        self.attribution = attribution
        self.freshness = freshness
        self.encodedPageTail = SearchCharactersResponse(total: 0, attribution: attribution, freshness: freshness)
            .encoded()
    }
}
