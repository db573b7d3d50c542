/// A decoded picture.
package struct PixelImage: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// The red, green, blue and opacity of each pixel, row by row: `4 * width * height` bytes.
    package let pixels: [UInt8]

    /// - Returns: Nil if the number of bytes does not match the size, or a side is not within 1 to 16,384.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, width <= 16_384, height <= 16_384, pixels.count == 4 * width * height
        else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
