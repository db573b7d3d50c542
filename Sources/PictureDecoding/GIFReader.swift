internal import TerminalUI

/// Reads the first picture of a GIF file ("Graphics Interchange Format", version 89a).
struct GIFReader {
    private var rest: ArraySlice<UInt8>
    /// The index of the color that is not there.
    private var transparentIndex: Int?

    init(_ bytes: [UInt8]) {
        self.rest = bytes[...]
    }

    consuming func firstPicture(_ limits: PictureLimits) throws(PictureError) -> PixelImage {
        // Section 17, then 18: the size of the screen, on which the picture may take a part.
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

    /// Section 20 and 22.
    private mutating func picture(
        width: Int,
        height: Int,
        _ colors: ArraySlice<UInt8>
    ) throws(PictureError) -> PixelImage {
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

    /// In the order of the file: appendix E.
    private static func rows(_ count: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<count) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: count, by: $0.1)) }
    }

    /// Section 19 and 21: three bytes for each color; none if the flags say so.
    private mutating func palette(_ flags: UInt8) throws(PictureError) -> ArraySlice<UInt8> {
        flags & 0x80 == 0 ? [] : try take(3 << (Int(flags & 0x07) + 1))
    }

    /// Section 23 to 26: only the one that names the transparent color matters.
    private mutating func takeExtension() throws(PictureError) {
        let label = try byte()
        let data = try blocks()
        if label == 0xF9, data.count >= 4 { transparentIndex = data[0] & 1 == 1 ? Int(data[3]) : nil }
    }

    /// Section 15 and 16: pieces of up to 255 bytes, the last one empty.
    private mutating func blocks() throws(PictureError) -> [UInt8] {
        var data: [UInt8] = []
        while true {
            let count = Int(try byte())
            if count == 0 { return data }
            data += try take(count)
        }
    }

    private mutating func byte() throws(PictureError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .damaged }
        return byte
    }

    private mutating func number() throws(PictureError) -> Int {
        Int(try byte()) | Int(try byte()) << 8
    }

    private mutating func take(_ count: Int) throws(PictureError) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .damaged }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
