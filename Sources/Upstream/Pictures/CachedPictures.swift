package import MarvelDomain

/// A cache of fetched pictures, by their addresses.
///
/// It may evict any picture. If it fails, it behaves as if it were empty, and logs the failure: callers get no errors.
package protocol CachedPictures: Sendable {
    /// Returns the picture from an address, and marks it as used.
    func picture(at url: String) async -> CachedPicture?

    /// Stores a picture. Returns at once.
    func keep(_ picture: CachedPicture, at url: String)

    /// Records that the source still had the cached picture at that time. Returns at once.
    func confirmPicture(at url: String, _ moment: Moment)

    /// Removes a picture that its source no longer has. Returns at once.
    func forgetPicture(at url: String)
}

/// A fetched picture and the time of its last confirmation by the source.
package struct CachedPicture: Sendable, Hashable {
    package var tagged: TaggedPicture
    package var fetchedAt: Moment

    package init(_ tagged: TaggedPicture, fetchedAt: Moment) {
        self.tagged = tagged
        self.fetchedAt = fetchedAt
    }
}

/// A picture, and its validator as received.
package struct TaggedPicture: Sendable, Hashable {
    package var picture: Picture
    package var etag: String?

    package init(picture: Picture, etag: String?) {
        self.picture = picture
        self.etag = etag
    }
}
