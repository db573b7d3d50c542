/// Lays out the search forms of a block's names.
struct SearchFormsBuilder {
    /// Eight bytes are read at every letter, and at the place behind it.
    private static let padding = 9

    private(set) var letters: [UInt8] = []
    private(set) var ends: [UInt32] = []
    private(set) var pairs: [LetterPairs] = []
    private(set) var wordStarts: [UInt64]
    private(set) var heads: [WordHeadFilter.Heads] = []
    private(set) var wordEnds: [UInt32] = []

    private var wordCount = 0
    /// Of the name that is being appended: the code of each letter, and which of them begin words.
    private var codes: [UInt8] = []
    private var wordLetters: [Int] = []

    /// - Parameters:
    ///   - names: How many there will be.
    ///   - bytes: How many bytes they have in all, folded: at least as many as in their search forms.
    init(names: Int, bytes: Int) {
        letters.reserveCapacity(bytes + SearchFormsBuilder.padding)
        ends.reserveCapacity(names)
        pairs.reserveCapacity(names)
        wordEnds.reserveCapacity(names)
        wordStarts = Array(repeating: 0, count: bytes / 64 + 1)
    }

    mutating func append(_ folded: UnsafeBufferPointer<UInt8>) {
        codes.removeAll(keepingCapacity: true)
        wordLetters.removeAll(keepingCapacity: true)
        var pairs = LetterPairs()
        var previous: UInt32?
        SearchForm.forEachLetter(of: folded) { letter, beginsWord in
            if beginsWord {
                wordStarts[letters.count >> 6] |= 1 << UInt64(letters.count & 63)
                wordLetters.append(codes.count)
            }
            letters.append(contentsOf: letter)
            let (scalar, _) = UTF8Letter.decode(letter.base, at: letter.startIndex)
            codes.append(WordHead.code(scalar))
            if let previous { pairs.insert(previous, scalar) }
            previous = scalar
        }
        ends.append(UInt32(letters.count))
        self.pairs.append(pairs)
        appendWords()
    }

    private mutating func appendWords() {
        codes.append(contentsOf: repeatElement(0, count: WordHead.letterCount))
        codes.withUnsafeBytes { codes in
            for word in wordLetters {
                let lane = wordCount % WordHeadFilter.Heads.scalarCount
                if lane == 0 { heads.append(.zero) }
                let head = codes.loadUnaligned(fromByteOffset: word, as: UInt64.self)
                heads[heads.count - 1][lane] = UInt64(littleEndian: head)
                wordCount += 1
            }
        }
        wordEnds.append(UInt32(wordCount))
    }

    mutating func finish() {
        letters.append(contentsOf: repeatElement(0, count: SearchFormsBuilder.padding))
    }
}
