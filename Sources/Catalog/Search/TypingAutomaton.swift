/// A bit-parallel automaton that compares typed letters with the letters of a name, tolerating mistakes.
///
/// Bit w of the state "at most d mistakes", after j letters of the name, means that these are at most d mistakes away
/// from the first j + w - 2 typed letters. Two mistakes shift by at most two letters, so that five bits are enough. For
/// most names all bits are 0 after a few letters, and the comparison ends.
struct TypingAutomaton {
    private let letters: TypedLetters.Memory
    private let letterCount: Int
    private let allowedMistakes: Int

    /// - Parameters:
    ///   - letters: The typed letters. Their memory must outlive the automaton.
    ///   - allowedMistakes: The maximum number of mistakes, 0 to 2.
    init(_ letters: TypedLetters.Memory, allowedMistakes: Int) {
        self.letters = letters
        self.letterCount = letters.count
        self.allowedMistakes = allowedMistakes
    }

    /// Ranks the letters of a name from `start` on, up to the end that gives the best rank; `.none` if they differ too
    /// much.
    func rank(at start: Int, of name: Range<Int>, in names: SearchForms.Memory) -> TypingRank {
        // The constants let the compiler remove the code for mistakes that are not allowed.
        switch allowedMistakes {
        case 0: rank(at: start, of: name, in: names, allowedMistakes: 0)
        case 1: rank(at: start, of: name, in: names, allowedMistakes: 1)
        default: rank(at: start, of: name, in: names, allowedMistakes: 2)
        }
    }

    @inline(__always)
    private func rank(
        at start: Int,
        of name: Range<Int>,
        in names: SearchForms.Memory,
        allowedMistakes: Int
    ) -> TypingRank {
        let allBits: UInt8 = 0b11111
        // The states for no, at most one and at most two mistakes, and the states before the last letter.
        var (none, one, two): (UInt8, UInt8, UInt8) = (0b00100, 0b01100, 0b11100)
        var (noneBefore, oneBefore, equalBefore): (UInt8, UInt8, UInt8) = (0, 0, 0)
        var best = TypingRank.none
        var place = start
        for count in 0...letterCount + allowedMistakes {
            let wholeBit = letterCount - count + 2
            if wholeBit <= 4 {
                let mistakes = TypingAutomaton.mistakes(none, one, two, 1 << UInt8(truncatingIfNeeded: wholeBit))
                if mistakes <= allowedMistakes {
                    let isEnd = place == name.upperBound
                    let rank = TypingRank(
                        mistakes: mistakes,
                        isFirstWord: start == name.lowerBound,
                        isWholeWord: isEnd || names.isWordStart(place),
                        isEnd: isEnd
                    )
                    best = min(best, rank)
                }
            }
            guard place < name.upperBound, count < letterCount + allowedMistakes else { break }
            let (letter, byteCount) = UTF8Scalar.decode(names.letters, at: place)
            place += byteCount
            let equal = letters.equal(to: letter, around: count)
            let (oldNone, oldOne) = (none, one)
            none &= equal
            if allowedMistakes > 0 {
                // The terms: the same letter, another letter, an extra letter in the name, a missing letter, and two
                // swapped letters.
                let swapped = equal << 1 & equalBefore >> 1
                one = (one & equal | oldNone | oldNone >> 1 | none << 1 | noneBefore & swapped) & allBits
                two = (two & equal | oldOne | oldOne >> 1 | one << 1 | oneBefore & swapped) & allBits
                (noneBefore, oneBefore, equalBefore) = (oldNone, oldOne, equal)
            }
            let alive = allowedMistakes == 0 ? none : allowedMistakes == 1 ? one : two
            guard alive != 0 else { break }
        }
        return best
    }

    @inline(__always)
    private static func mistakes(_ none: UInt8, _ one: UInt8, _ two: UInt8, _ bit: UInt8) -> Int {
        none & bit != 0 ? 0 : one & bit != 0 ? 1 : two & bit != 0 ? 2 : 3
    }
}
