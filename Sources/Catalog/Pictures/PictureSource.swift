package import MarvelDomain
package import WireMessages

package protocol PictureSource: Sendable {
    /// Nil unless the picture is drawn, in memory, and not large.
    func drawnPicture(id: Int64, name: String, _ variant: ImageVariant) -> FoundPicture?

    /// Never blocks the calling thread, which may be an event loop.
    func picture(of character: MarvelCharacter, _ variant: ImageVariant) async throws(PictureError) -> FoundPicture
}

extension PictureSource {
    package func drawnPicture(id: Int64, name: String, _ variant: ImageVariant) -> FoundPicture? { nil }
}

package struct FoundPicture: Sendable, Hashable {
    package let picture: Picture
    /// Nil for a drawn picture.
    package let freshness: Freshness?

    package init(_ picture: Picture, freshness: Freshness? = nil) {
        self.picture = picture
        self.freshness = freshness
    }
}

extension MarvelCharacter {
    /// Whether the picture's path is relative.
    package var isDrawn: Bool {
        guard let path = thumbnail?.path else { return false }
        return Thumbnail.isDrawn(path: path.utf8)
    }

    /// Empty for a drawn picture.
    package var pictureHost: String {
        guard let path = thumbnail?.path, let scheme = path.firstRange(of: "://") else { return "" }
        return path[scheme.upperBound...].prefix { $0 != "/" }.lowercased()
    }
}

extension Thumbnail {
    static func isDrawn(path: some Sequence<UInt8>) -> Bool {
        // The search for a text takes longer than the rest of the look-up of a drawn picture.
        !path.contains(UInt8(ascii: ":")) || !String(decoding: Array(path), as: UTF8.self).contains("://")
    }
}

/// Its texts contain nothing from a peer.
package enum PictureError: Error, Sendable, Hashable {
    case none
    /// Larger than `Picture.maximumByteCount`.
    case tooLarge
    case hostNotAllowed
    /// A retry gives the same result.
    case unusable(String)
    case upstream(SourceError)

    package var isTransient: Bool {
        if case .upstream = self { true } else { false }
    }
}

extension PictureError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "no picture"
        case .tooLarge: "the picture is larger than 3 MiB"
        case .hostNotAllowed: "this server does not fetch pictures from its host"
        case .unusable(let reason): "invalid picture: \(reason)"
        case .upstream(let error): error.text(about: .pictureHost)
        }
    }
}
