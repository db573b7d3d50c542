package import NIOCore

/// The message `marvel.v1.GetThumbnailRequest`, unchecked: the service validates the values.
package struct GetThumbnailRequest: Sendable, Hashable {
    package var id: Int64
    /// One of Marvel's names for a size; empty means the full picture.
    package var variant: String

    package init(id: Int64, variant: String = "") {
        self.id = id
        self.variant = variant
    }
}

/// The message `marvel.v1.GetThumbnailResponse`.
package struct GetThumbnailResponse: Sendable, Hashable {
    /// The encoded picture.
    package var data: ByteBuffer
    /// `image/png`, `image/jpeg` or `image/gif`.
    package var mediaType: String
    /// The variant of `data`.
    package var variant: String
    /// Whether this is the source's picture for characters without one.
    package var isPlaceholder: Bool
    package var freshness: Freshness
    package var attribution: String

    package init(
        data: ByteBuffer,
        mediaType: String,
        variant: String = "",
        isPlaceholder: Bool = false,
        freshness: Freshness = Freshness(),
        attribution: String = ""
    ) {
        self.data = data
        self.mediaType = mediaType
        self.variant = variant
        self.isPlaceholder = isPlaceholder
        self.freshness = freshness
        self.attribution = attribution
    }
}
