/// A filter of the first three bytes of words, by which most blocks need no look-up of a text.
struct WordBeginnings: Sendable {
    private static let byteCount = 3

    /// A row for each hash of a beginning, with a bit for each block that has such words.
    private var rows: [UInt64]
    private let rowLength: Int
    private let hashBitCount: Int
    private let blockCount: Int

    init(_ blocks: [CharacterBlock]) {
        blockCount = blocks.count
        rowLength = (blocks.count + UInt64.bitWidth - 1) / UInt64.bitWidth
        // Few blocks have few words.
        hashBitCount = min(8 + Int.bitWidth - blocks.count.leadingZeroBitCount, 14)
        rows = Array(repeating: 0, count: rowLength << hashBitCount)
        for (number, block) in blocks.enumerated() {
            block.searchForms.forEachBeginning(byteCount: Self.byteCount) { beginning in
                rows[row(beginning) + number / UInt64.bitWidth] |= 1 << UInt64(number % UInt64.bitWidth)
            }
        }
    }

    /// Returns the blocks that may have words that begin with the text, in ascending order.
    func blocks(with text: [UInt8]) -> [Int] {
        guard text.count >= Self.byteCount else { return Array(0..<blockCount) }
        let row = row(text.prefix(Self.byteCount).reduce(0) { $0 << 8 | UInt64($1) })
        var blocks: [Int] = []
        for number in 0..<rowLength {
            var bits = rows[row + number]
            while bits != 0 {
                blocks.append(number * UInt64.bitWidth + bits.trailingZeroBitCount)
                bits &= bits - 1
            }
        }
        return blocks
    }

    private func row(_ beginning: UInt64) -> Int {
        Int((UInt32(beginning) &* 0x9E37_79B1) >> UInt32(UInt32.bitWidth - hashBitCount)) * rowLength
    }
}
