/// The text of bytes and numbers in lowercase hexadecimal digits.
package enum Hexadecimal {
    /// Returns two digits for each byte.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            for value in [byte >> 4, byte & 15] {
                digits.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the 16 digits of a number.
    package static func text(_ number: UInt64) -> String { withUnsafeBytes(of: number.bigEndian) { text($0) } }

    /// Decodes two digits for each byte; nil if the text is anything else. Digits may be upper case.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count.isMultiple(of: 2), digits.count == text.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
