/// A compressor that makes a zlib stream (RFC 1950) of one DEFLATE block with fixed codes (RFC 1951, section 3.2.6).
///
/// It is made for pictures with areas of one color, whose rows repeat a color or the row above. It looks for matches at
/// the distances of such repetitions, and where the same three bytes occurred last. This keeps the code short, and fast
/// enough to run for each request.
struct Deflate: ~Copyable {
    private let input: [UInt8]
    /// The distances that are tried before the last place of the same three bytes.
    private let usualDistances: [Int]
    /// The position after the last start of three bytes, for each hash of three bytes; 0 if there was none.
    private var lastPlaces = [Int](repeating: 0, count: 1 << 12)
    private var output: [UInt8] = []
    private var bits: UInt64 = 0
    private var bitCount = 0

    /// - Parameters:
    ///   - input: The bytes to compress.
    ///   - stride: The length of a row in bytes.
    /// - Returns: The zlib stream, header and checksum included.
    static func zlibStream(of input: [UInt8], stride: Int) -> [UInt8] {
        var deflate = Deflate(input: input, stride: stride)
        deflate.compress()
        return deflate.output
    }

    private init(input: [UInt8], stride: Int) {
        self.input = input
        self.usualDistances = [stride, 1, stride - 1, stride + 1].filter { (1...Self.maximumDistance).contains($0) }
        self.output.reserveCapacity(input.count / 16)
    }

    private mutating func compress() {
        // RFC 1950, section 2.2: method 8 with a 32 KiB window, no dictionary; the pair is a multiple of 31.
        self.output += [0x78, 0x01]
        // RFC 1951, section 3.2.3: the last block, fixed codes.
        self.write(0b011, count: 3)
        var position = 0
        while position < self.input.count {
            let match = self.longestMatch(at: position)
            if match.length >= Self.minimumLength {
                self.writeMatch(length: match.length, distance: match.distance)
                position += match.length
            } else {
                self.writeLiteral(Int(self.input[position]))
                position += 1
            }
        }
        self.writeLiteral(Self.endOfBlock)
        self.write(0, count: (8 - self.bitCount) % 8)
        self.output += Checksum.adler32(self.input).bigEndianBytes
    }
}

extension Deflate {
    private static var endOfBlock: Int { 256 }
    private static var minimumLength: Int { 3 }
    private static var maximumLength: Int { 258 }
    private static var maximumDistance: Int { 32_768 }

    private mutating func longestMatch(at position: Int) -> (length: Int, distance: Int) {
        var best = (length: 0, distance: 0)
        let limit = min(Self.maximumLength, self.input.count - position)
        guard limit >= Self.minimumLength else { return best }
        for distance in self.usualDistances where distance <= position {
            let length = self.matchLength(at: position, distance: distance, limit: limit)
            if length > best.length { best = (length, distance) }
        }
        let slot = self.hash(at: position)
        let distance = position + 1 - self.lastPlaces[slot]
        if distance <= min(position, Self.maximumDistance) {
            let length = self.matchLength(at: position, distance: distance, limit: limit)
            // A far match costs up to 13 more bits than a near one, which three bytes would not save.
            if length > best.length + 1, length > Self.minimumLength { best = (length, distance) }
        }
        self.lastPlaces[slot] = position + 1
        return best
    }

    private func matchLength(at position: Int, distance: Int, limit: Int) -> Int {
        self.input.withUnsafeBufferPointer { input in
            var length = 0
            while length < limit, input[position + length] == input[position + length - distance] { length += 1 }
            return length
        }
    }

    private func hash(at position: Int) -> Int {
        let key = self.input[position...].prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int((key &* 0x9E37_79B1) >> 20)
    }
}

extension Deflate {
    /// Writes a literal byte or the end of the block. (RFC 1951, section 3.2.6)
    private mutating func writeLiteral(_ symbol: Int) {
        switch symbol {
        case ..<144: self.writeCode(0b0011_0000 + symbol, count: 8)
        case ..<256: self.writeCode(0b1_1001_0000 + symbol - 144, count: 9)
        case ..<280: self.writeCode(symbol - 256, count: 7)
        default: self.writeCode(0b1100_0000 + symbol - 280, count: 8)
        }
    }

    /// Writes a length and a distance, each a code and the extra bits of its range. (RFC 1951, section 3.2.5)
    private mutating func writeMatch(length: Int, distance: Int) {
        if length == Self.maximumLength {
            // The longest length has a code of its own, outside the regular ranges.
            self.writeLiteral(285)
        } else {
            let (code, extra, extraCount) = Self.range(of: length - Self.minimumLength, codesPerDoubling: 4)
            self.writeLiteral(257 + code)
            self.write(extra, count: extraCount)
        }
        let (code, extra, extraCount) = Self.range(of: distance - 1, codesPerDoubling: 2)
        self.writeCode(code, count: 5)
        self.write(extra, count: extraCount)
    }

    /// Returns the code of a value and its place in the code's range.
    ///
    /// Both tables of RFC 1951, section 3.2.5, follow one rule: the first codes have one value each, and then the
    /// ranges double after every `codesPerDoubling` codes (4 for lengths, 2 for distances).
    private static func range(of value: Int, codesPerDoubling: Int) -> (code: Int, extra: Int, extraCount: Int) {
        guard value >= 2 * codesPerDoubling else { return (value, 0, 0) }
        let highestBit = Int.bitWidth - 1 - value.leadingZeroBitCount
        let extraCount = highestBit - codesPerDoubling.trailingZeroBitCount
        let code = codesPerDoubling * extraCount + value >> extraCount
        return (code, value & (1 << extraCount - 1), extraCount)
    }

    /// Writes a Huffman code, the highest bit first. (RFC 1951, section 3.1.1)
    private mutating func writeCode(_ code: Int, count: Int) {
        var reversed = 0
        for bit in 0..<count where code & 1 << bit != 0 { reversed |= 1 << (count - 1 - bit) }
        self.write(reversed, count: count)
    }

    /// Writes any value but a Huffman code, the lowest bit first. (RFC 1951, section 3.1.1)
    private mutating func write(_ value: Int, count: Int) {
        self.bits |= UInt64(value) << self.bitCount
        self.bitCount += count
        while self.bitCount >= 8 {
            self.output.append(UInt8(truncatingIfNeeded: self.bits))
            self.bits >>= 8
            self.bitCount -= 8
        }
    }
}
