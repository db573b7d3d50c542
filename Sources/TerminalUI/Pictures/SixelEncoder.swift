/// An encoder of pictures to sixel graphics ("VT330/VT340 Programmer Reference Manual", chapter 14).
enum SixelEncoder {
    /// Returns the sequence that draws a picture with its upper left corner at the cursor. The previous contents stay
    /// visible where the picture is transparent.
    static func encode(_ image: PixelImage) -> [UInt8] {
        let palette = MedianCutPalette(of: image)
        // The second parameter leaves undrawn pixels unchanged. The raster attributes set square pixels (1:1).
        var bytes = Array("\u{1B}P0;1;0q\"1;1;\(image.width);\(image.height)".utf8)
        for (index, color) in palette.colors.enumerated() {
            let percents = [color.red, color.green, color.blue].map { String((Int($0) * 100 + 127) / 255) }
            bytes += "#\(index);2;\(percents.joined(separator: ";"))".utf8
        }
        let indexes = image.indexes(in: palette)
        for top in stride(from: 0, to: image.height, by: 6) {
            if top > 0 { bytes.append(UInt8(ascii: "-")) }
            appendBand(indexes, width: image.width, rows: top..<min(top + 6, image.height), to: &bytes)
        }
        bytes += "\u{1B}\\".utf8
        return bytes
    }

    /// Appends a band of six rows: for each color, a bit mask of each column's pixels in that color.
    private static func appendBand(_ indexes: [Int], width: Int, rows: Range<Int>, to bytes: inout [UInt8]) {
        var masks: [Int: [UInt8]] = [:]
        for (bit, row) in rows.enumerated() {
            for column in 0..<width {
                let index = indexes[row * width + column]
                guard index >= 0 else { continue }
                masks[index, default: Array(repeating: 0, count: width)][column] |= 1 << UInt8(bit)
            }
        }
        for (place, (index, mask)) in masks.sorted(by: { $0.key < $1.key }).enumerated() {
            // Returns to the left edge for the next color.
            if place > 0 { bytes.append(UInt8(ascii: "$")) }
            bytes += "#\(index)".utf8
            appendRuns(mask, to: &bytes)
        }
    }

    private static func appendRuns(_ mask: [UInt8], to bytes: inout [UInt8]) {
        let end = (mask.lastIndex { $0 != 0 } ?? -1) + 1
        var start = 0
        while start < end {
            let next = mask[start..<end].firstIndex { $0 != mask[start] } ?? end
            let letter = mask[start] + 63
            let count = next - start
            if count > 3 {
                bytes += "!\(count)".utf8
                bytes.append(letter)
            } else {
                bytes += repeatElement(letter, count: count)
            }
            start = next
        }
    }
}

extension PixelImage {
    /// Returns the palette index of each pixel; -1 if the pixel is less than half opaque.
    fileprivate func indexes(in palette: MedianCutPalette) -> [Int] {
        stride(from: 0, to: pixels.count, by: 4).map { place in
            guard pixels[place + 3] >= 128 else { return -1 }
            return palette.index(of: RGB(pixels[place], pixels[place + 1], pixels[place + 2]))
        }
    }
}
