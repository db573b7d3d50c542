package import MarvelDomain

/// A cache of fetched pictures, by address.
///
/// It may evict any picture. If it fails, it logs the failure and acts like an empty cache: callers get no errors.
/// Writes return immediately.
package protocol CachedPictures: Sendable {
    /// Returns the picture from an address, and marks it as used.
    func picture(at url: String) async -> CachedPicture?

    func keep(_ picture: CachedPicture, at url: String)

    /// Records that the source still had the cached picture at that time.
    func confirmPicture(at url: String, _ moment: Moment)

    func forgetPicture(at url: String)
}

package struct CachedPicture: Sendable, Hashable {
    package var tagged: TaggedPicture
    package var fetchedAt: Moment

    package init(_ tagged: TaggedPicture, fetchedAt: Moment) {
        self.tagged = tagged
        self.fetchedAt = fetchedAt
    }
}

package struct TaggedPicture: Sendable, Hashable {
    package var picture: Picture
    package var etag: String?

    package init(picture: Picture, etag: String?) {
        self.picture = picture
        self.etag = etag
    }
}
