public import MarvelDomain
internal import NIOCore
internal import WireMessages

public struct CharacterPicture: Sendable, Hashable {
    /// The encoded picture, at most 3 MiB.
    public var bytes: [UInt8]
    /// The media type of `bytes`: `image/png`, `image/jpeg` or `image/gif`.
    public var mediaType: String
    /// The variant of `bytes`; nil if this build does not know it. It differs from the requested one if that was
    /// unavailable.
    public var variant: ImageVariant?
    /// Whether this is the source's placeholder for a missing picture.
    public var isPlaceholder = false
    /// Attribution text to show with the data.
    public var attribution = ""
    public var freshness = DataFreshness()
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
