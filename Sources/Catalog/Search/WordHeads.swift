/// The first ten letters from the beginning of each word on, for `WordHeadFilter`: a bit for each word, 128 side by side.
///
/// A letter is known by its class, and a class by its row and its column in a square of five by five. For each of the ten
/// places there are ten times 128 bits: which words have a letter of the first row there, of the second one, and so on,
/// and the same of the columns. Behind the end of a name no bit is set.
///
/// Letters that are alike are of the same class, and most that differ are not: an answer from heads is "no" or "perhaps".
struct WordHeads: Sendable {
    /// One bit of each of 128 words.
    typealias Bits = SIMD2<UInt64>
    static let groupSize = 128
    static let letterCount = 10
    static let bitsPerLetter = 2 * side
    static let bitsPerGroup = letterCount * bitsPerLetter

    private static let side = 5

    /// Group after group, in each the bits of the first place, then those of the second one, and so on.
    private(set) var bits: [Bits] = []
    private var wordCount = 0

    /// Which of the ten bits of a letter is set for its row.
    static func row(_ letter: UInt32) -> Int { Int(letter) / side % side }

    /// Which of the ten bits of a letter is set for its column.
    static func column(_ letter: UInt32) -> Int { side + Int(letter) % side }

    /// - Parameter letters: Of the word and what follows it in its name; those behind the tenth are passed over.
    mutating func append(_ letters: some Sequence<UInt32>) {
        let word = wordCount % WordHeads.groupSize
        if word == 0 { bits.append(contentsOf: repeatElement(.zero, count: WordHeads.bitsPerGroup)) }
        wordCount += 1
        var first = bits.count - WordHeads.bitsPerGroup
        bits.withUnsafeMutableBufferPointer { bits in
            for letter in letters.prefix(WordHeads.letterCount) {
                let bit: UInt64 = 1 << UInt64(word % 64)
                bits[first + WordHeads.row(letter)][word / 64] |= bit
                bits[first + WordHeads.column(letter)][word / 64] |= bit
                first += WordHeads.bitsPerLetter
            }
        }
    }
}
