package import MarvelDomain

/// A page that a mirror asks its gateway for: of all characters, or of those that changed.
package struct MirrorQuestion: Sendable, Hashable {
    package var offset: Int
    package var limit: Int
    /// Nil: all.
    package var modifiedSince: Timestamp?

    package init(offset: Int, limit: Int, modifiedSince: Timestamp? = nil) {
        self.offset = offset
        self.limit = limit
        self.modifiedSince = modifiedSince
    }
}
