internal import CPrefetch

/// A filter that compares typed letters with the heads of words, 128 words at a time.
///
/// It is `TypingAutomaton` for the first ten letters, but each bit of that is a number of 128 bits here, one for each
/// word. Heads contain only the classes of letters, so that the answer is "no" or "perhaps". `TypingAutomaton` then
/// compares the words that are left, and letters after the tenth.
struct WordHeadFilter: Sendable {
    private typealias Bits = WordHeads.Bits
    private static let numbersPerLine = 4

    private let allowedMistakes: Int
    private let letterCount: Int
    /// The indexes in a group of the bits to compare. For each letter of a head these are the row and the column of the
    /// five typed letters around its place.
    private let around: [Int]

    /// - Parameters:
    ///   - scalars: The typed letters, not empty.
    ///   - allowedMistakes: The maximum number of mistakes, 0 to 2.
    init(_ scalars: [UInt32], allowedMistakes: Int) {
        self.allowedMistakes = allowedMistakes
        letterCount = scalars.count
        let count = WordHeads.letterCount + 2
        // The padding before and after the letters can only change an answer to "perhaps".
        let padded = [0, 0] + scalars.prefix(count) + Array(repeating: 0, count: count)
        around = (0..<WordHeads.letterCount).flatMap { place in
            padded[place..<place + 5].flatMap { letter in
                [WordHeads.row(letter), WordHeads.column(letter)].map { place * WordHeads.bitsPerLetter + $0 }
            }
        }
    }

    /// Finds the words that may match.
    ///
    /// - Parameters:
    ///   - heads: The bits of `WordHeads`.
    ///   - found: Memory, not initialized yet, for the result: the bits of the words of each group.
    func find(in heads: UnsafeBufferPointer<WordHeads.Bits>, _ found: UnsafeMutableBufferPointer<WordHeads.Bits>) {
        // The constants let the compiler remove the code for mistakes that are not allowed.
        switch allowedMistakes {
        case 0: find(in: heads, found, allowedMistakes: 0)
        case 1: find(in: heads, found, allowedMistakes: 1)
        default: find(in: heads, found, allowedMistakes: 2)
        }
    }

    @inline(__always)
    private func find(
        in heads: UnsafeBufferPointer<Bits>,
        _ found: UnsafeMutableBufferPointer<Bits>,
        allowedMistakes: Int
    ) {
        guard let first = heads.baseAddress else { return }
        let places = min(WordHeads.letterCount, letterCount + allowedMistakes)
        around.withUnsafeBufferPointer { around in
            for number in found.indices {
                let start = first + number * WordHeads.bitsPerGroup
                // The processor does not prefetch memory that is read with gaps. So the next group is prefetched here,
                // in lines of 64 bytes.
                for line in stride(from: 0, to: places * WordHeads.bitsPerLetter, by: WordHeadFilter.numbersPerLine) {
                    marvel_prefetch(start + WordHeads.bitsPerGroup + line)
                }
                let group = UnsafeBufferPointer(start: start, count: WordHeads.bitsPerGroup)
                let words = self.words(in: group, around, places: places, allowedMistakes: allowedMistakes)
                found.initializeElement(at: number, to: words)
            }
        }
    }

    /// Returns the words of a group that may match.
    @inline(__always)
    private func words(
        in group: UnsafeBufferPointer<Bits>,
        _ around: UnsafeBufferPointer<Int>,
        places: Int,
        allowedMistakes: Int
    ) -> Bits {
        let all = ~Bits.zero
        var none = State(.zero, .zero, all, .zero, .zero)
        var one = State(.zero, .zero, all, all, .zero)
        var two = State(.zero, .zero, all, all, all)
        var (noneBefore, oneBefore, equalBefore) = (State.zero, State.zero, State.zero)
        var found = Bits.zero
        for place in 0...places {
            let states = allowedMistakes == 0 ? none : allowedMistakes == 1 ? one : two
            let wholeBit = letterCount - place + 2
            if wholeBit <= 4 { found |= states[wholeBit] }
            guard place < places else {
                // The query continues after the head.
                return places < letterCount + allowedMistakes ? found | states.any : found
            }
            let equal = equal(group, around, at: place, allowedMistakes: allowedMistakes)
            let (oldNone, oldOne) = (none, one)
            none = none & equal
            if allowedMistakes > 0 {
                let swapped = equal.raised & equalBefore.lowered
                one = one & equal | oldNone | oldNone.lowered | none.raised | noneBefore & swapped
                if allowedMistakes > 1 {
                    two = two & equal | oldOne | oldOne.lowered | one.raised | oneBefore & swapped
                }
                (noneBefore, oneBefore, equalBefore) = (oldNone, oldOne, equal)
            }
        }
        return found
    }

    /// Returns the words that have at a place one of the five typed letters around it, for each of the five. Letters
    /// further away than the allowed mistakes are left out.
    @inline(__always)
    private func equal(
        _ group: UnsafeBufferPointer<Bits>,
        _ around: UnsafeBufferPointer<Int>,
        at place: Int,
        allowedMistakes: Int
    ) -> State {
        func equal(_ offset: Int) -> Bits {
            guard abs(offset - 2) <= allowedMistakes else { return .zero }
            let letter = (place * 5 + offset) * 2
            return group[around[letter]] & group[around[letter + 1]]
        }
        return State(equal(0), equal(1), equal(2), equal(3), equal(4))
    }
}

extension WordHeadFilter {
    /// The five bits of one of the automaton's states, each for 128 words.
    private struct State {
        let bit0, bit1, bit2, bit3, bit4: Bits

        static let zero = State(.zero, .zero, .zero, .zero, .zero)

        @inline(__always)
        init(_ bit0: Bits, _ bit1: Bits, _ bit2: Bits, _ bit3: Bits, _ bit4: Bits) {
            (self.bit0, self.bit1, self.bit2, self.bit3, self.bit4) = (bit0, bit1, bit2, bit3, bit4)
        }

        /// The state shifted like `>> 1`.
        @inline(__always)
        var lowered: State { State(bit1, bit2, bit3, bit4, .zero) }

        /// The state shifted like `<< 1`.
        @inline(__always)
        var raised: State { State(.zero, bit0, bit1, bit2, bit3) }

        @inline(__always)
        var any: Bits { bit0 | bit1 | bit2 | bit3 | bit4 }

        @inline(__always)
        subscript(bit: Int) -> Bits {
            switch bit {
            case 0: bit0
            case 1: bit1
            case 2: bit2
            case 3: bit3
            case 4: bit4
            default: .zero
            }
        }

        @inline(__always)
        static func & (left: State, right: State) -> State {
            State(
                left.bit0 & right.bit0,
                left.bit1 & right.bit1,
                left.bit2 & right.bit2,
                left.bit3 & right.bit3,
                left.bit4 & right.bit4
            )
        }

        @inline(__always)
        static func | (left: State, right: State) -> State {
            State(
                left.bit0 | right.bit0,
                left.bit1 | right.bit1,
                left.bit2 | right.bit2,
                left.bit3 | right.bit3,
                left.bit4 | right.bit4
            )
        }
    }
}
