/// A decompressor for the pixels of a GIF ("Graphics Interchange Format", appendix F).
///
/// A code stands for a string of color indexes: the string of an older code and one more index.
struct LZWReader {
    private var parents: [Int16]
    private var lasts: [UInt8]
    private var firsts: [UInt8]
    private var count: Int
    private var width: Int

    private let clear: Int
    private let end: Int

    /// The size of the code table: codes have at most 12 bits.
    private static let maximumCount = 4_096

    private init(codeSize: Int) {
        self.clear = 1 << codeSize
        self.end = clear + 1
        self.count = clear + 2
        self.width = codeSize + 1
        self.parents = Array(repeating: -1, count: LZWReader.maximumCount)
        self.lasts = (0..<LZWReader.maximumCount).map { UInt8(truncatingIfNeeded: $0) }
        self.firsts = lasts
    }

    /// Decompresses the color indexes of a picture.
    ///
    /// - Parameters:
    ///   - data: The codes, least significant bits first.
    ///   - codeSize: The number of bits of an index.
    ///   - wanted: The number of indexes to read; further data is ignored.
    /// - Throws: `.damaged` if there are fewer indexes, or a code is undefined.
    /// - Returns: Exactly `wanted` indexes.
    static func read(_ data: [UInt8], codeSize: Int, _ wanted: Int) throws(PictureDecodingError) -> [UInt8] {
        guard (2...8).contains(codeSize) else { throw .damaged }
        var reader = LZWReader(codeSize: codeSize)
        var indexes: [UInt8] = []
        indexes.reserveCapacity(wanted)
        var previous: Int?
        var (bits, bitCount, position) = (0, 0, 0)
        while indexes.count < wanted {
            while bitCount < reader.width {
                guard position < data.count else { throw .damaged }
                bits |= Int(data[position]) << bitCount
                (bitCount, position) = (bitCount + 8, position + 1)
            }
            let code = bits & (1 << reader.width - 1)
            bits >>= reader.width
            bitCount -= reader.width
            if code == reader.end { throw .damaged }
            if code == reader.clear {
                reader.count = reader.clear + 2
                reader.width = codeSize + 1
                previous = nil
            } else {
                try reader.append(code, after: previous, to: &indexes)
                previous = code
            }
        }
        return Array(indexes.prefix(wanted))
    }

    private mutating func append(
        _ code: Int,
        after previous: Int?,
        to indexes: inout [UInt8]
    ) throws(PictureDecodingError) {
        guard let previous else {
            guard code < clear else { throw .damaged }
            indexes.append(UInt8(code))
            return
        }
        // A code that is used in the step that defines it begins and ends with the previous code's first index.
        guard code <= count, code < LZWReader.maximumCount else { throw .damaged }
        let first = code == count ? firsts[previous] : firsts[code]
        if count < LZWReader.maximumCount {
            (parents[count], lasts[count], firsts[count]) = (Int16(previous), first, firsts[previous])
            count += 1
            if count == 1 << width, width < 12 { width += 1 }
        }
        let start = indexes.count
        var next = code
        while next >= 0 {
            indexes.append(lasts[next])
            next = next < clear ? -1 : Int(parents[next])
        }
        indexes[start...].reverse()
    }
}
