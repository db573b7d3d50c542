internal import MarvelDomain

/// A token: `mrv1_`, 43 digits of base 62 for 256 random bits, and 6 for their CRC-32.
///
/// The checksum lets scanners of source code and logs recognize a token. The server refuses a mistyped one without a
/// lookup. Its description hides the secret.
package struct TokenText: Sendable, Hashable {
    private static let prefix = Array("mrv1_".utf8)
    private static let secretLength = 43
    private static let checksumLength = 6
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    package static let randomByteCount = 32
    package static let length = prefix.count + secretLength + checksumLength

    private let bytes: [UInt8]

    /// `random` is 32 bytes of a generator for secrets.
    package init(random: [UInt8]) {
        precondition(random.count == Self.randomByteCount, "a token holds 32 random bytes, not \(random.count)")
        let body = Self.prefix + Self.base62(random, length: Self.secretLength)
        bytes = body + Self.checksum(of: body)
    }

    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.length + 1))
        guard bytes.count == Self.length, bytes.starts(with: Self.prefix) else { return nil }
        let body = bytes.dropLast(Self.checksumLength)
        guard bytes.suffix(Self.checksumLength).elementsEqual(Self.checksum(of: Array(body))) else { return nil }
        self.bytes = bytes
    }

    package var secret: String { String(decoding: bytes, as: UTF8.self) }

    /// The SHA-256 digest, which is stored instead of the token.
    package var digest: [UInt8] { Digest.sha256.bytes(of: bytes) }

    private static func checksum(of bytes: [UInt8]) -> [UInt8] {
        let value = crc32(of: bytes)
        return base62([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }, length: checksumLength)
    }

    /// Writes a big-endian number in base 62.
    private static func base62(_ bytes: [UInt8], length: Int) -> [UInt8] {
        var number = bytes
        var text = [UInt8](repeating: digits[0], count: length)
        for place in text.indices.reversed() {
            var remainder = 0
            for index in number.indices {
                let value = remainder << 8 | Int(number[index])
                number[index] = UInt8(value / 62)
                remainder = value % 62
            }
            text[place] = digits[remainder]
        }
        return text
    }

    /// The CRC-32 of Ethernet and zlib.
    static func crc32(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt32(byte)) { value, _ in
                value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0)
            }
        }
    }
}

extension TokenText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "mrv1_…" }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

package enum Authorization {
    /// Parses `Bearer TOKEN`. The scheme ignores case (RFC 9110, section 11.1).
    ///
    /// - Throws: `AccessFailure.tokenInvalid` for anything else.
    package static func token(_ value: String) throws(AccessFailure) -> TokenText {
        let scheme = value.utf8.prefix(bearer.count)
        guard scheme.count == bearer.count, zip(scheme, bearer).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else {
            throw .tokenInvalid
        }
        guard let token = TokenText(String(value.utf8.dropFirst(bearer.count).drop { $0 == 0x20 }) ?? "") else {
            throw .tokenInvalid
        }
        return token
    }

    package static func value(_ token: TokenText) -> String { "Bearer \(token.secret)" }

    private static let bearer = Array("Bearer ".utf8)
}
