/// The first bytes of a Unicode scalar in UTF-8 (RFC 3629).
struct PartialUTF8Scalar: Sendable, Equatable {
    enum Step {
        case more(PartialUTF8Scalar)
        /// The scalar is complete; nil if its value is invalid.
        case finished(Unicode.Scalar?)
        /// The byte does not continue the scalar.
        case broken
    }

    private var value: UInt32
    private var missing: Int
    /// The least value that needs this number of bytes. A smaller value is an overlong encoding, which is invalid.
    private let least: UInt32

    /// - Returns: Nil if no scalar begins with this byte.
    init?(first: UInt8) {
        switch first {
        case 0xC2...0xDF: (value, missing, least) = (UInt32(first & 0x1F), 1, 0x80)
        case 0xE0...0xEF: (value, missing, least) = (UInt32(first & 0x0F), 2, 0x800)
        case 0xF0...0xF4: (value, missing, least) = (UInt32(first & 0x07), 3, 0x1_0000)
        default: return nil
        }
    }

    func adding(_ byte: UInt8) -> Step {
        guard 0x80...0xBF ~= byte else { return .broken }
        var letter = self
        letter.value = value << 6 | UInt32(byte & 0x3F)
        letter.missing -= 1
        if letter.missing > 0 { return .more(letter) }
        return .finished(letter.value >= least ? Unicode.Scalar(letter.value) : nil)
    }
}
