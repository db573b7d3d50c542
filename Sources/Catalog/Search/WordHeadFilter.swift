/// Compares what was typed with the heads of words, of sixteen at a time: a byte for each.
///
/// It is `TypingAutomaton` on the first eight letters. Heads know letters by their codes, so its answer too is "no" or
/// "perhaps", and where more was typed than a head holds, the rest is for others to compare.
struct WordHeadFilter: Sendable {
    /// One letter of each of sixteen words. A number has eight of them side by side: what is done with it never carries
    /// from one to the next, and processors do it with several numbers at a time.
    typealias Letters = SIMD2<UInt64>
    static let groupSize = 16

    /// Is no code.
    private static let nothing: UInt8 = 0x7F

    private let letterCount: Int
    /// For each letter of a head the five that were typed around its place.
    private let around: [Letters]

    /// - Parameter scalars: What was typed, not empty.
    init(_ scalars: [UInt32]) {
        letterCount = scalars.count
        let places = WordHead.letterCount + 4
        let codes = [WordHeadFilter.nothing, WordHeadFilter.nothing] + scalars.prefix(places).map(WordHead.code)
        let padded = codes + Array(repeating: WordHeadFilter.nothing, count: places)
        around = (0..<WordHead.letterCount).flatMap { place in
            (0..<5).map { WordHeadFilter.all(padded[place + $0]) }
        }
    }

    /// Finds the words that may be what was typed.
    ///
    /// - Parameters:
    ///   - heads: Of groups of sixteen words, the first letters of all in a group, then the second ones, and so on.
    ///   - allowedMistakes: 0 to 2, best a number that the compiler knows.
    ///   - body: Is given the number of each such word, in rising order.
    @inline(__always)
    func forEachWord(in heads: UnsafeBufferPointer<Letters>, allowedMistakes: Int, _ body: (_ word: Int) -> Void) {
        around.withUnsafeBufferPointer { around in
            for first in stride(from: 0, to: heads.count, by: WordHead.letterCount) {
                let found = self.found(heads, from: first, around, allowedMistakes: allowedMistakes)
                // Most often none of the sixteen.
                guard found[0] | found[1] != 0 else { continue }
                for half in 0..<2 {
                    let marks = UInt64(littleEndian: found[half])
                    var bytes = (marks &+ 0x7F7F_7F7F_7F7F_7F7F) & 0x8080_8080_8080_8080
                    while bytes != 0 {
                        body(first * 2 + half * 8 + bytes.trailingZeroBitCount / 8)
                        bytes &= bytes &- 1
                    }
                }
            }
        }
    }

    /// Not zero for each word that may be what was typed.
    @inline(__always)
    private func found(
        _ heads: UnsafeBufferPointer<Letters>,
        from first: Int,
        _ around: UnsafeBufferPointer<Letters>,
        allowedMistakes: Int
    ) -> Letters {
        let allBits = WordHeadFilter.all(0b11111)
        var (none, one, two) = (WordHeadFilter.all(0b00100), WordHeadFilter.all(0b01100), WordHeadFilter.all(0b11100))
        var (noneBefore, oneBefore, equalBefore) = (Letters.zero, Letters.zero, Letters.zero)
        var found = Letters.zero
        let letters = min(WordHead.letterCount, letterCount + allowedMistakes)
        for place in 0...letters {
            let states = allowedMistakes == 0 ? none : allowedMistakes == 1 ? none | one : none | one | two
            let wholeBit = letterCount - place + 2
            if wholeBit <= 4 { found |= states & WordHeadFilter.all(1 << UInt8(truncatingIfNeeded: wholeBit)) }
            guard place < letters else {
                // It goes on behind the head.
                return letters < letterCount + allowedMistakes ? found | states : found
            }
            let equal = equal(heads[first + place], around, at: place, allowedMistakes: allowedMistakes)
            let (oldNone, oldOne) = (none, one)
            none &= equal
            if allowedMistakes > 0 {
                let swapped = (equal &+ equal) & (equalBefore &>> 1)
                one = (one & equal | oldNone | oldNone &>> 1 | (none &+ none) | noneBefore & swapped) & allBits
                if allowedMistakes > 1 {
                    two = (two & equal | oldOne | oldOne &>> 1 | (one &+ one) | oneBefore & swapped) & allBits
                }
                (noneBefore, oneBefore, equalBefore) = (oldNone, oldOne, equal)
            }
        }
        return found
    }

    /// Which of the letters around a place are these; as far away from it as there may be mistakes.
    @inline(__always)
    private func equal(
        _ letters: Letters,
        _ around: UnsafeBufferPointer<Letters>,
        at place: Int,
        allowedMistakes: Int
    ) -> Letters {
        let highBits = WordHeadFilter.all(0x80)
        var equal = Letters.zero
        for offset in 2 - allowedMistakes...2 + allowedMistakes {
            // Seven bits, so that the highest one tells whether any differs.
            let differs = (letters ^ around[place * 5 + offset]) &+ WordHeadFilter.all(0x7F)
            equal |= (highBits & ~differs) &>> UInt64(7 - offset)
        }
        return equal
    }

    @inline(__always)
    private static func all(_ byte: UInt8) -> Letters { Letters(repeating: 0x0101_0101_0101_0101 &* UInt64(byte)) }
}
