/// Checked before decoding: a file of a few bytes can declare a picture that fills the memory.
package struct PictureLimits: Sendable, Hashable {
    package var maximumBytes: Int
    /// The maximum of each side, in pixels.
    package var maximumSide: Int
    package var maximumPixels: Int
    /// A limit for all scans of a JPEG, in pictures of `maximumPixels`. Each scan of a few bytes processes the whole
    /// picture.
    private static let maximumScannedPictures = 12

    package init(maximumBytes: Int = 3 << 20, maximumSide: Int = 4_096, maximumPixels: Int = 16 << 20) {
        self.maximumBytes = maximumBytes
        self.maximumSide = maximumSide
        self.maximumPixels = maximumPixels
    }

    /// - Throws: `.tooLarge`, or `.damaged` if a side is not positive.
    func check(width: Int, height: Int) throws(PictureDecodingError) {
        guard width > 0, height > 0 else { throw .damaged }
        guard width <= maximumSide, height <= maximumSide, width * height <= maximumPixels else {
            throw .tooLarge(width: width, height: height)
        }
    }

    func check(scans: Int, width: Int, height: Int) throws(PictureDecodingError) {
        let maximum = Self.maximumScannedPictures * maximumPixels / (width * height)
        guard scans <= maximum else { throw .tooManyScans(scans, maximum: maximum) }
    }
}

package enum PictureDecodingError: Error, Sendable, Hashable {
    case unknownFormat
    case tooManyBytes(Int)
    case tooLarge(width: Int, height: Int)
    case tooManyScans(Int, maximum: Int)
    case cancelled
    /// The file is truncated, invalid, or of an unsupported variant.
    case damaged
}
