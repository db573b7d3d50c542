public import MarvelDomain

extension RequestID {
    /// Makes a new random UUID (version 4), in lower case.
    public static func random() -> RequestID {
        var generator = SystemRandomNumberGenerator()
        return .uuid(generator.next(), generator.next())
    }

    /// From two random numbers, with the bits of version and variant set (RFC 9562, 5.4).
    static func uuid(_ high: UInt64, _ low: UInt64) -> RequestID {
        let high = (high & ~0xF000) | 0x4000
        let low = (low & ~(0b11 << 62)) | (0b10 << 62)
        var text = Hexadecimal.text(high) + Hexadecimal.text(low)
        for offset in [20, 16, 12, 8] {
            text.insert("-", at: text.index(text.startIndex, offsetBy: offset))
        }
        guard let id = RequestID(text) else { preconditionFailure("a UUID is not a valid request id: \(text)") }
        return id
    }
}
