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
        var length = 0
        func append(_ letter: UInt8) {
            text[length] = letter
            length += 1
        }
        /// Appends the first letters of 24 bits.
        func append(_ bits: UInt32, letterCount: Int) {
            for number in 0..<letterCount { append(letters[Int(bits >> UInt32(18 - 6 * number) & 63)]) }
        }
        let end = bytes.count / 3 * 3
        for start in stride(from: 0, to: end, by: 3) {
            let (first, second, third) = (UInt32(bytes[start]), UInt32(bytes[start + 1]), UInt32(bytes[start + 2]))
            append(first << 16 | second << 8 | third, letterCount: 4)
        }
        switch bytes.count - end {
        case 1: append(UInt32(bytes[end]) << 16, letterCount: 2)
        case 2: append(UInt32(bytes[end]) << 16 | UInt32(bytes[end + 1]) << 8, letterCount: 3)
        default: break
        }
        while isPadded, !length.isMultiple(of: 4) { append(UInt8(ascii: "=")) }
        return length
    }

    /// Decodes text of the alphabet `url` without padding; nil unless it encodes exactly `byteCount` bytes, a multiple
    /// of three. Such a text has exactly one encoding.
    package static func decodeURL(_ text: String, byteCount: Int) -> [UInt8]? {
        var isValid = false
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
            isValid = decodeURL(text, into: UnsafeMutableRawBufferPointer(bytes))
            count = isValid ? byteCount : 0
        }
        return isValid ? bytes : nil
    }

    /// Decodes the same into memory of that many bytes.
    ///
    /// - Returns: Whether the text is valid. Otherwise the contents of the memory mean nothing.
    package static func decodeURL(_ text: String, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        var text = text
        return text.withUTF8 { letters in
            guard letters.count == bytes.count / 3 * 4 else { return false }
            var all: UInt8 = 0
            for group in 0..<bytes.count / 3 {
                var bits: UInt32 = 0
                for letter in letters[4 * group..<4 * group + 4] {
                    let value = urlValues[Int(letter)]
                    all |= value
                    bits = bits << 6 | UInt32(value & 63)
                }
                bytes[3 * group] = UInt8(truncatingIfNeeded: bits >> 16)
                bytes[3 * group + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                bytes[3 * group + 2] = UInt8(truncatingIfNeeded: bits)
            }
            return all < 64
        }
    }

    private static let urlValues = table(of: .url)
    private static let values = table(of: .standard, .url)

    /// The value of each letter of the alphabets, by its byte; 255 for all other bytes. A table: the branches of a
    /// comparison are mispredicted for nearly every letter.
    private static func table(of alphabets: Alphabet...) -> [UInt8] {
        var values = [UInt8](repeating: .max, count: 256)
        for alphabet in alphabets {
            for value in 0..<64 { values[Int(alphabet.letters.utf8Start[value])] = UInt8(value) }
        }
        return values
    }

    /// Decodes either alphabet, with padding or without; nil if the text is invalid.
    package static func decode(_ text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        let end = text.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? 0
        let padding = (4 - end % 4) % 4
        guard padding < 3, text.count == end || text.count == end + padding else { return nil }
        var all: UInt8 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: end / 4 * 3 + 2) { bytes, length in
            var (bits, count): (UInt32, Int) = (0, 0)
            for letter in text[..<end] {
                let value = values[Int(letter)]
                all |= value
                bits = bits << 6 | UInt32(value & 63)
                count += 6
                guard count >= 8 else { continue }
                count -= 8
                bytes[length] = UInt8(truncatingIfNeeded: bits >> UInt32(count))
                length += 1
            }
        }
        return all < 64 ? bytes : nil
    }
}
