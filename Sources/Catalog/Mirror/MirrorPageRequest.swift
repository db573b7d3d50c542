package import MarvelDomain

/// A mirror's request for a page of all characters, or of those that changed.
package struct MirrorPageRequest: Sendable, Hashable {
    package var offset: Int
    package var limit: Int
    /// The earliest time of change of the requested characters; nil for all characters.
    package var modifiedSince: Timestamp?

    package init(offset: Int, limit: Int, modifiedSince: Timestamp? = nil) {
        self.offset = offset
        self.limit = limit
        self.modifiedSince = modifiedSince
    }
}
