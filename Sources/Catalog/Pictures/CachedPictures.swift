package import MarvelAPI

/// Where fetched pictures are kept, by their addresses. It may forget any of them, and if it fails it has none: what goes
/// wrong is its operator's to know, and no caller's.
package protocol CachedPictures: Sendable {
    /// The picture from that address, which counts as used by that.
    func picture(at url: String) async -> CachedPicture?

    /// Returns at once.
    func keep(_ picture: CachedPicture, at url: String)

    /// The picture that is kept is still the one at its address. Returns at once.
    func confirmPicture(at url: String, _ moment: Moment)

    /// There is none at that address any more. Returns at once.
    func forgetPicture(at url: String)
}

/// A picture as it was fetched.
package struct CachedPicture: Sendable, Hashable {
    package var tagged: TaggedPicture
    package var fetchedAt: Moment

    package init(_ tagged: TaggedPicture, fetchedAt: Moment) {
        self.tagged = tagged
        self.fetchedAt = fetchedAt
    }
}
