/// An encoded picture of a character.
package struct Picture: Sendable, Hashable {
    /// Larger ones count as none: 3 MiB.
    package static let maximumByteCount = 3 * 1024 * 1024

    package var bytes: [UInt8]
    package var mediaType: PictureType
    /// Whether this is what the source shows where it has no picture.
    package var isPlaceholder: Bool

    package init(bytes: [UInt8], mediaType: PictureType, isPlaceholder: Bool = false) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.isPlaceholder = isPlaceholder
    }
}

/// The kinds of pictures that there are, by their media types.
package enum PictureType: String, Sendable, Hashable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"

    /// What the bytes of a file begin with tells it, whatever its name says; nil if it is none of these.
    package init?(contents bytes: [UInt8]) {
        let type = PictureType.allCases.first { type in
            type.beginnings.contains { bytes.starts(with: $0) }
        }
        guard let type else { return nil }
        self = type
    }

    private var beginnings: [[UInt8]] {
        switch self {
        case .png: [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]]
        case .jpeg: [[0xFF, 0xD8, 0xFF]]
        case .gif: [Array("GIF87a".utf8), Array("GIF89a".utf8)]
        }
    }
}
