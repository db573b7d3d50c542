import NIOCore

extension ByteBuffer {
    /// Bytes written as hex digits. Blanks and bars between them are for the reader.
    init(hex text: String) {
        let digits = text.filter { !$0.isWhitespace && $0 != "|" }.compactMap(\.hexDigitValue)
        precondition(digits.count.isMultiple(of: 2), "half a byte in \(text)")
        let bytes = stride(from: 0, to: digits.count, by: 2).map { (index: Int) -> UInt8 in
            let (high, low) = (digits[index], digits[index + 1])
            return UInt8(high * 16 + low)
        }
        self.init(bytes: bytes)
    }

    /// The bytes cut at the given offsets, which rise.
    func cut(at offsets: [Int]) -> [ByteBuffer] {
        var rest = self
        var taken = 0
        var pieces: [ByteBuffer] = []
        for offset in offsets {
            guard let piece = rest.readSlice(length: offset - taken) else { preconditionFailure("cut past the end") }
            pieces.append(piece)
            taken = offset
        }
        return pieces + [rest]
    }
}
