internal import CImages

enum PNGEncoder {
    /// 1 to 256 colors. The pixels are indices into the palette, row by row from the top left.
    static func encode(width: Int, height: Int, palette: [RGBColor], pixels: [UInt8]) -> [UInt8] {
        precondition((1...256).contains(palette.count), "a palette holds 1 to 256 colors, not \(palette.count)")
        precondition(width > 0 && height > 0 && pixels.count == width * height, "the pixels do not fill the picture")
        let (width, height, colorCount) = (UInt32(width), UInt32(height), UInt32(palette.count))
        let colors = palette.flatMap { [$0.red, $0.green, $0.blue] }
        let capacity = cimages_png_maximum_size(width, height, colorCount)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { file in
            var byteCount = capacity
            let result = cimages_png_write(width, height, colors, colorCount, pixels, file.baseAddress, &byteCount)
            // The input is valid, so only a lack of memory can fail.
            precondition(result == 0, "libpng cannot encode a picture: no memory")
            return Array(file.prefix(byteCount))
        }
    }
}
