package import NIOCore

/// `marvel.v1.GetThumbnailRequest`, as it came: the service judges the values.
package struct GetThumbnailRequest: Sendable, Hashable {
    package var id: Int64
    /// One of Marvel's words for a size; empty: the full picture.
    package var variant: String

    package init(id: Int64, variant: String = "") {
        self.id = id
        self.variant = variant
    }
}

/// `marvel.v1.GetThumbnailResponse`.
package struct GetThumbnailResponse: Sendable, Hashable {
    /// The encoded picture.
    package var data: ByteBuffer
    /// `image/png`, `image/jpeg` or `image/gif`.
    package var mediaType: String
    /// The variant that `data` really is.
    package var variant: String
    /// Whether this is what the source shows where it has no picture.
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
