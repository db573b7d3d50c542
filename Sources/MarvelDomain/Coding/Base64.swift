/// Base64 with `+` and `/` (RFC 4648, section 4): with padding as protobuf's JSON writes bytes, and without as gRPC's
/// headers do.
package enum Base64 {
    private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    package static func encode(_ bytes: some Collection<UInt8>, isPadded: Bool = true) -> String {
        let letters = UnsafeBufferPointer(start: letters.utf8Start, count: letters.utf8CodeUnitCount)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(letters[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { text.append(letters[Int(bits << UInt32(6 - count) & 63)]) }
        while isPadded, !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes either alphabet, with padding or without; nil if the text is neither.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3 + 2)
        var (bits, count, letterCount): (UInt32, Int, Int) = (0, 0, 0)
        var rest = text.utf8[...]
        while let letter = rest.first, let value = value(of: letter) {
            rest = rest.dropFirst()
            letterCount += 1
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        let padding = (4 - letterCount % 4) % 4
        guard padding < 3, rest.isEmpty || rest.elementsEqual(repeatElement(UInt8(ascii: "="), count: padding)) else {
            return nil
        }
        return bytes
    }

    /// Returns the value of a letter of either alphabet.
    fileprivate static func value(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

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

    /// Returns the value of a letter of this alphabet only.
    private static func value(of letter: UInt8) -> UInt8? {
        letter == UInt8(ascii: "+") || letter == UInt8(ascii: "/") ? nil : Base64.value(of: letter)
    }
}
