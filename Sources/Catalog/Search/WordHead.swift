/// The first eight letters from the beginning of a word on, as one number with seven bits for each: the first in the
/// lowest byte, nothing behind the end of the name.
///
/// Letters that are alike have the same code, and nearly all that differ have another one: an answer from heads is "no"
/// or "perhaps".
enum WordHead {
    static let letterCount = 8

    /// 1 to 127.
    @inline(__always)
    static func code(_ letter: UInt32) -> UInt8 {
        switch letter {
        case 0x61...0x7A, 0x30...0x39: UInt8(truncatingIfNeeded: letter)
        // What is free below the digits.
        default: UInt8(truncatingIfNeeded: letter % 0x2F + 1)
        }
    }

    static func pack(_ codes: some BidirectionalCollection<UInt8>) -> UInt64 {
        codes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Compares the first letters of what was typed with heads, eight of them at a time.
struct WordHeadFilter: Sendable {
    typealias Heads = SIMD8<UInt64>

    private let letters: Heads
    /// The high bit of each byte that is compared.
    private let compared: Heads

    /// - Parameters:
    ///   - scalars: What was typed, not empty.
    ///   - allowedMistakes: 0 to 2.
    init(_ scalars: [UInt32], allowedMistakes: Int) {
        // The letters that can be found within a head, wherever the mistakes before have moved them.
        let count = min(scalars.count, WordHead.letterCount - allowedMistakes)
        letters = Heads(repeating: WordHead.pack(scalars.prefix(count).map(WordHead.code)))
        compared = Heads(repeating: 0x8080_8080_8080_8080 >> UInt64(8 * (WordHead.letterCount - count)))
    }

    /// Compares letters where they should stand, and as many places away as there may be mistakes.
    ///
    /// - Parameters:
    ///   - heads: Of eight words.
    ///   - allowedMistakes: The same number as before, best one that the compiler knows.
    /// - Returns: For each word what is wrong beyond the mistakes: 0 if nothing is.
    @inline(__always)
    func wrongs(_ heads: Heads, allowedMistakes: Int) -> Heads {
        var missing = compared & differs(heads)
        if allowedMistakes > 0 { missing &= differs(heads &>> 8) & differs(heads &<< 8) }
        if allowedMistakes > 1 { missing &= differs(heads &>> 16) & differs(heads &<< 16) }
        // Each mistake takes at most one letter away.
        for _ in 0..<allowedMistakes { missing &= missing &- 1 }
        return missing
    }

    /// The high bit of each byte that is another one; the other bits mean nothing.
    @inline(__always)
    private func differs(_ heads: Heads) -> Heads { (heads ^ letters) &+ 0x7F7F_7F7F_7F7F_7F7F }
}
