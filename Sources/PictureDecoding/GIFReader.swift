internal import TerminalUI

/// A reader for the first picture of a GIF file ("Graphics Interchange Format", version 89a).
struct GIFReader {
    private var rest: ArraySlice<UInt8>
    /// The index that stands for a transparent pixel.
    private var transparentIndex: Int?

    init(_ bytes: [UInt8]) {
        self.rest = bytes[...]
    }

    consuming func firstPicture(_ limits: PictureLimits) throws(PictureDecodingError) -> PixelImage {
        // Section 17, then 18: the size of the logical screen. The picture may cover only a part of it.
        _ = try take(6)
        let (width, height) = (try number(), try number())
        let flags = try byte()
        _ = try take(2)
        try limits.check(width: width, height: height)
        let colors = try palette(flags)
        while true {
            switch try byte() {
            case 0x21: try takeExtension()
            case 0x2C: return try picture(width: width, height: height, colors)
            default: throw .damaged
            }
        }
    }

    /// Reads an image descriptor (section 20) and its data (section 22).
    private mutating func picture(
        width: Int,
        height: Int,
        _ colors: ArraySlice<UInt8>
    ) throws(PictureDecodingError) -> PixelImage {
        let (left, top, innerWidth, innerHeight) = (try number(), try number(), try number(), try number())
        let flags = try byte()
        let ownColors = try palette(flags)
        let palette = Array(ownColors.isEmpty ? colors : ownColors)
        guard innerWidth > 0, innerHeight > 0, left + innerWidth <= width, top + innerHeight <= height else {
            throw .damaged
        }
        let codeSize = Int(try byte())
        let indexes = try LZWReader.read(blocks(), codeSize: codeSize, innerWidth * innerHeight)
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        let rows = GIFReader.rows(innerHeight, isInterlaced: flags & 0x40 != 0)
        for (line, row) in rows.enumerated() {
            for column in 0..<innerWidth {
                let index = Int(indexes[line * innerWidth + column])
                guard 3 * index + 2 < palette.count else { throw .damaged }
                if index == transparentIndex { continue }
                let place = 4 * ((top + row) * width + left + column)
                for part in 0..<3 { pixels[place + part] = palette[3 * index + part] }
                pixels[place + 3] = 255
            }
        }
        guard let image = PixelImage(width: width, height: height, pixels: pixels) else { throw .damaged }
        return image
    }

    /// Returns the row numbers in the order of the file (appendix E).
    private static func rows(_ count: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<count) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: count, by: $0.1)) }
    }

    /// Reads a color table (sections 19 and 21): three bytes for each color; empty if the flags announce none.
    private mutating func palette(_ flags: UInt8) throws(PictureDecodingError) -> ArraySlice<UInt8> {
        flags & 0x80 == 0 ? [] : try take(3 << (Int(flags & 0x07) + 1))
    }

    /// Reads an extension (sections 23 to 26). Only the graphic control extension, which names the transparent color, is
    /// used.
    private mutating func takeExtension() throws(PictureDecodingError) {
        let label = try byte()
        let data = try blocks()
        if label == 0xF9, data.count >= 4 { transparentIndex = data[0] & 1 == 1 ? Int(data[3]) : nil }
    }

    /// Reads data sub-blocks (sections 15 and 16): blocks of up to 255 bytes; an empty one ends them.
    private mutating func blocks() throws(PictureDecodingError) -> [UInt8] {
        var data: [UInt8] = []
        while true {
            let count = Int(try byte())
            if count == 0 { return data }
            data += try take(count)
        }
    }

    private mutating func byte() throws(PictureDecodingError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .damaged }
        return byte
    }

    private mutating func number() throws(PictureDecodingError) -> Int {
        Int(try byte()) | Int(try byte()) << 8
    }

    private mutating func take(_ count: Int) throws(PictureDecodingError) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .damaged }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
