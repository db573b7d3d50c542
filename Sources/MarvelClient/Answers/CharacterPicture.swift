public import MarvelDomain
internal import NIOCore
internal import WireMessages

/// The picture of a character.
public struct CharacterPicture: Sendable, Hashable {
    /// An encoded picture, at most 3 MiB.
    public var bytes: [UInt8]
    /// What `bytes` is: `image/png`, `image/jpeg` or `image/gif`.
    public var mediaType: String
    /// What `bytes` really is: another variant than was asked for if that was not at hand. Nil if this build does not
    /// know it.
    public var variant: ImageVariant?
    /// Whether this is what the source shows where it has no picture.
    public var isPlaceholder: Bool
    /// The line that must be shown with the data.
    public var attribution: String
    public var freshness: DataFreshness

    public init(
        bytes: [UInt8],
        mediaType: String,
        variant: ImageVariant?,
        isPlaceholder: Bool = false,
        attribution: String = "",
        freshness: DataFreshness = DataFreshness()
    ) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.variant = variant
        self.isPlaceholder = isPlaceholder
        self.attribution = attribution
        self.freshness = freshness
    }
}

extension CharacterPicture {
    init(_ response: GetThumbnailResponse) {
        self.init(
            bytes: Array(response.data.readableBytesView),
            mediaType: response.mediaType,
            variant: ImageVariant(rawValue: response.variant),
            isPlaceholder: response.isPlaceholder,
            attribution: response.attribution,
            freshness: DataFreshness(response.freshness)
        )
    }
}
