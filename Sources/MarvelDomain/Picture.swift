package struct Picture: Sendable, Hashable {
    /// 3 MiB. A larger picture counts as missing.
    package static let maximumByteCount = 3 * 1024 * 1024

    package var bytes: [UInt8]
    package var mediaType: PictureType
    /// Whether this is the source's placeholder for a missing picture.
    package var isPlaceholder: Bool

    package init(bytes: [UInt8], mediaType: PictureType, isPlaceholder: Bool = false) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.isPlaceholder = isPlaceholder
    }
}

/// A format of encoded pictures, named by its media type.
package enum PictureType: String, Sendable, Hashable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"

    /// Recognizes the format by the first bytes of a file; nil if it is unsupported.
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
