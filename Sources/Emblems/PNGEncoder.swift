/// An encoder of pictures with at most 256 colors as PNG files (RFC 2083).
enum PNGEncoder {
    /// Encodes a picture with a palette, eight bits a pixel.
    ///
    /// - Parameters:
    ///   - width: The width in pixels, above 0.
    ///   - height: The height in pixels, above 0.
    ///   - palette: The palette of 1 to 256 colors.
    ///   - pixels: The pixels row by row from the top left, each an index into the palette.
    /// - Returns: The bytes of the file.
    static func encode(width: Int, height: Int, palette: [RGBColor], pixels: [UInt8]) -> [UInt8] {
        precondition((1...256).contains(palette.count), "a palette holds 1 to 256 colors, not \(palette.count)")
        precondition(width > 0 && height > 0 && pixels.count == width * height, "the pixels do not fill the picture")
        // RFC 2083, section 3.1.
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Section 4.1.1: depth 8, color type 3 (palette), then the only compression and filter methods, not interlaced.
        let header = UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes + [8, 3, 0, 0, 0]
        self.append("IHDR", header, to: &file)
        self.append("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
        let scanlines = self.scanlines(width: width, height: height, pixels: pixels)
        self.append("IDAT", Deflate.zlibStream(of: scanlines, stride: width + 1), to: &file)
        self.append("IEND", [], to: &file)
        return file
    }

    /// Returns the rows, each after its filter type: 0, none, which section 9.6 recommends for pictures with a palette.
    private static func scanlines(width: Int, height: Int, pixels: [UInt8]) -> [UInt8] {
        var scanlines: [UInt8] = []
        scanlines.reserveCapacity((width + 1) * height)
        for start in stride(from: 0, to: width * height, by: width) {
            scanlines.append(0)
            scanlines += pixels[start..<start + width]
        }
        return scanlines
    }

    /// Appends a chunk: length, type, data, and the CRC of type and data. (RFC 2083, section 3.2)
    private static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
        let body = Array(type.utf8) + data
        file += UInt32(data.count).bigEndianBytes
        file += body
        file += Checksum.crc32(body).bigEndianBytes
    }
}
