/// How large a picture may be. A few bytes can claim to be a picture that fills the memory, so its size is read first.
package struct PictureLimits: Sendable, Hashable {
    /// Of the file.
    package var maximumBytes: Int
    /// Of either side.
    package var maximumSide: Int
    package var maximumPixels: Int

    package init(maximumBytes: Int = 3 << 20, maximumSide: Int = 4_096, maximumPixels: Int = 16 << 20) {
        self.maximumBytes = maximumBytes
        self.maximumSide = maximumSide
        self.maximumPixels = maximumPixels
    }

    /// - Throws: `.tooLarge`, or `.damaged` for a size that no picture has.
    func check(width: Int, height: Int) throws(PictureError) {
        guard width > 0, height > 0 else { throw .damaged }
        guard width <= maximumSide, height <= maximumSide, width * height <= maximumPixels else {
            throw .tooLarge(width: width, height: height)
        }
    }
}

/// Why bytes do not become a picture.
package enum PictureError: Error, Sendable, Hashable {
    /// Neither PNG, JPEG nor GIF.
    case unknownFormat
    case tooManyBytes(Int)
    /// More pixels than the limits allow.
    case tooLarge(width: Int, height: Int)
    /// Cut short, wrong, or of a kind that is not read.
    case damaged
}
