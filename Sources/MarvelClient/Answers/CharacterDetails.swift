public import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

public struct CharacterDetails: Sendable, Hashable {
    public var character: MarvelCharacter
    /// Whether the character is on the caller's list.
    public var isFavorite: Bool
    /// Attribution text to show with the data.
    public var attribution = ""
    public var freshness = DataFreshness()
    /// The revision of the operator's last edit of the character; 0 if it was never edited.
    public var editRevision: Int64 = 0
}

extension CharacterDetails {
    init(_ response: GetCharacterResponse) throws(RPCError) {
        guard let character = response.character else {
            throw .responseInvalid("the server's answer has no character")
        }
        self.init(
            character: character,
            isFavorite: response.isFavorite,
            attribution: response.attribution,
            freshness: DataFreshness(response.freshness),
            editRevision: response.editRevision
        )
    }
}

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

/// The source of data, and the age of the data.
public struct DataFreshness: Sendable, Hashable {
    public enum Source: Sendable, Hashable {
        /// The server does not name the source.
        case unspecified
        /// The catalog that is part of the server.
        case builtIn
        /// An invented catalog for load tests.
        case synthetic
        /// The Marvel API or a compatible gateway, called for this request.
        case gateway
        /// A cached response of the gateway.
        case cache
        case file
        /// A source that this build does not know, by its number.
        case other(Int32)
    }

    public var source: Source
    /// The time since the source provided the data.
    public var age: Duration
    /// Whether the data is older than its source allows, because the source cannot be reached.
    public var isStale: Bool

    public init(source: Source = .unspecified, age: Duration = .zero, isStale: Bool = false) {
        self.source = source
        self.age = age
        self.isStale = isStale
    }
}

extension DataFreshness {
    init(_ freshness: Freshness) {
        self.init(source: Source(freshness.source), age: freshness.age, isStale: freshness.isStale)
    }
}

extension DataFreshness.Source {
    init(_ source: Freshness.Source) {
        switch source {
        case .unspecified: self = .unspecified
        case .builtIn: self = .builtIn
        case .synthetic: self = .synthetic
        case .gateway: self = .gateway
        case .cache: self = .cache
        case .file: self = .file
        default: self = .other(source.rawValue)
        }
    }
}
