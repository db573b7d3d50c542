/// Base64 with `-` and `_` (RFC 4648, section 5), for byte strings whose length is a multiple of three.
///
/// Such byte strings need no padding, and each has exactly one encoding.
package enum Base64URL {
    private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    /// Encodes `bytes`, whose count is a multiple of three, into `text`, which has four letters for each three bytes.
    package static func encode(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) {
        let letters = UnsafeBufferPointer(start: letters.utf8Start, count: letters.utf8CodeUnitCount)
        for group in 0..<bytes.count / 3 {
            let (a, b, c) = (bytes[group * 3], bytes[group * 3 + 1], bytes[group * 3 + 2])
            text[group * 4] = letters[Int(a >> 2)]
            text[group * 4 + 1] = letters[Int((a & 0x03) << 4 | b >> 4)]
            text[group * 4 + 2] = letters[Int((b & 0x0F) << 2 | c >> 6)]
            text[group * 4 + 3] = letters[Int(c & 0x3F)]
        }
    }

    /// Decodes a text; nil if it is not the encoding of exactly `byteCount` bytes, a multiple of three.
    package static func decode(_ text: String, byteCount: Int) -> [UInt8]? {
        guard text.utf8.count == byteCount / 3 * 4 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        var group: UInt32 = 0
        for (index, letter) in text.utf8.enumerated() {
            guard let value = value(of: letter) else { return nil }
            group = group << 6 | UInt32(value)
            guard index % 4 == 3 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: group >> 16))
            bytes.append(UInt8(truncatingIfNeeded: group >> 8))
            bytes.append(UInt8(truncatingIfNeeded: group))
        }
        return bytes
    }

    private static func value(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
