/// Base64 (RFC 4648): with padding as in protobuf's JSON, and without as in gRPC's headers.
package enum Base64 {
    package enum Alphabet: Sendable {
        case standard
        case url

        fileprivate var letters: StaticString {
            switch self {
            case .standard: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            case .url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            }
        }
    }

    package static func encode(
        _ bytes: some Collection<UInt8>,
        _ alphabet: Alphabet = .standard,
        isPadded: Bool = true
    ) -> String {
        Array(bytes).withUnsafeBytes { bytes in
            String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
                encode(bytes, alphabet, isPadded: isPadded, into: UnsafeMutableRawBufferPointer(text))
            }
        }
    }

    /// Encodes into `text`, which has room for four letters for each three bytes begun. Returns the number of letters.
    @discardableResult
    package static func encode(
        _ bytes: UnsafeRawBufferPointer,
        _ alphabet: Alphabet,
        isPadded: Bool = true,
        into text: UnsafeMutableRawBufferPointer
    ) -> Int {
        let letters = alphabet.letters.utf8Start
        var (bits, count, length): (UInt32, Int, Int) = (0, 0, 0)
        func append(_ letter: UInt8) {
            text[length] = letter
            length += 1
        }
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                append(letters[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { append(letters[Int(bits << UInt32(6 - count) & 63)]) }
        while isPadded, !length.isMultiple(of: 4) { append(UInt8(ascii: "=")) }
        return length
    }

    /// Decodes text of the alphabet `url` without padding; nil unless it encodes exactly `byteCount` bytes, a multiple
    /// of three. Such a text has exactly one encoding.
    package static func decodeURL(_ text: String, byteCount: Int) -> [UInt8]? {
        guard text.utf8.count == byteCount / 3 * 4, !text.utf8.contains(where: "+/=".utf8.contains) else { return nil }
        return decode(text)
    }

    /// Decodes either alphabet, with padding or without; nil if the text is invalid.
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

    private static func value(of letter: UInt8) -> UInt8? {
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
