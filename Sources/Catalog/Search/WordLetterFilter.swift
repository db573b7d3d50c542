/// Looks closer at words whose heads may be what was typed: at the first sixteen letters from there on, eight at a time.
///
/// A letter of what was typed that stands nowhere near its place in the name is a mistake, so more of those than mistakes
/// are allowed is a "no". Like a head's, the other answer is "perhaps".
struct WordLetterFilter: Sendable {
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Letters, a byte for each, the first in the lowest one; and the high bit of each byte that is compared.
    private struct Part: Sendable {
        let letters: UInt64
        let compared: UInt64

        init(_ letters: ArraySlice<UInt32>) {
            self.letters = WordHead.pack(letters.map { UInt8(truncatingIfNeeded: $0) })
            compared = letters.isEmpty ? 0 : highBits >> UInt64(8 * (8 - letters.count))
        }

        /// The high bit of each letter that is another one; the other bits mean nothing.
        @inline(__always)
        func differs(_ bytes: UInt64) -> UInt64 { (bytes ^ letters) &+ 0x7F7F_7F7F_7F7F_7F7F }
    }

    private let first: Part
    private let second: Part

    /// Nil for letters that are more than a byte each: then it has no answer.
    init?(_ scalars: [UInt32]) {
        let letters = scalars.prefix(16)
        guard letters.allSatisfy({ $0 < 0x80 }) else { return nil }
        first = Part(letters.prefix(8))
        second = Part(letters.dropFirst(8))
    }

    /// - Parameters:
    ///   - names: Where the word is.
    ///   - place: Where it begins.
    ///   - allowedMistakes: 0 to 2.
    /// - Returns: False if the letters from there on cannot be what was typed.
    @inline(__always)
    func mayMatch(_ names: SearchForms.Memory, at place: Int, allowedMistakes: Int) -> Bool {
        let (a, b, c) = (names.bytes(place), names.bytes(place + 8), names.bytes(place + 16))
        // Behind a letter of several bytes nothing is in its place.
        guard (a | b | c) & WordLetterFilter.highBits == 0 else { return true }
        var (missing, later) = (first.compared & first.differs(a), second.compared & second.differs(b))
        if allowedMistakes > 0 {
            missing &= first.differs(a << 8) & first.differs(a >> 8 | b << 56)
            later &= second.differs(b << 8 | a >> 56) & second.differs(b >> 8 | c << 56)
        }
        if allowedMistakes > 1 {
            missing &= first.differs(a << 16) & first.differs(a >> 16 | b << 48)
            later &= second.differs(b << 16 | a >> 48) & second.differs(b >> 16 | c << 48)
        }
        return missing.nonzeroBitCount + later.nonzeroBitCount <= allowedMistakes
    }
}
