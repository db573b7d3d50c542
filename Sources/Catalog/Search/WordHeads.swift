/// The heads of words for `WordHeadFilter`: the classes of the ten letters from the beginning of each word on.
///
/// Each letter has one of 25 classes, which are the cells of a square with five rows and five columns. For each of the
/// ten places there are ten times 128 bits: the words with a letter of the first row there, of the second row, and so
/// on, and then the same for the columns. No bit is set after the end of a name.
///
/// Equal letters have the same class, and most different letters have different classes. So a comparison of heads
/// answers "no" or "perhaps".
struct WordHeads: Sendable {
    /// One bit of each of 128 words.
    typealias Bits = SIMD2<UInt64>
    static let groupSize = 128
    static let letterCount = 10
    static let bitsPerLetter = 2 * side
    static let bitsPerGroup = letterCount * bitsPerLetter

    private static let side = 5

    /// The groups one after another. Each has the bits of the first place, then those of the second place, and so on.
    private(set) var bits: [Bits] = []
    private var wordCount = 0

    /// Returns the index of the bit that is set for a letter's row, among the ten bits of a letter.
    static func row(_ letter: UInt32) -> Int { Int(letter) / side % side }

    /// Returns the index of the bit that is set for a letter's column, among the ten bits of a letter.
    static func column(_ letter: UInt32) -> Int { side + Int(letter) % side }

    /// Appends the head of a word.
    ///
    /// - Parameter letters: The letters of the word and of the rest of its name. Those after the tenth are ignored.
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
