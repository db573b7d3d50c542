/// Lays out the search forms of a block's names.
struct SearchFormsBuilder: ~Copyable {
    /// So many bytes are read from the beginning of a word on, and eight behind every letter.
    private static let padding = 24

    private(set) var ends: [UInt32] = []
    private(set) var pairs: [LetterPairs] = []
    private(set) var wordStarts: [UInt64]
    private(set) var heads: [WordHeadFilter.Letters] = []
    private(set) var wordEnds: [UInt32] = []

    /// The letters so far, and zeros behind them. Not an array, for there is a byte to write for each letter of a
    /// catalog, and an array would ask each time whether it is shared.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var byteCount = 0
    private var wordCount = 0
    /// Where the words of the name begin that is being appended.
    private var words: [Int] = []

    /// - Parameters:
    ///   - names: How many there will be.
    ///   - maximumByteCount: How many bytes they have in all, folded: at least as many as in their search forms.
    init(names: Int, bytes maximumByteCount: Int) {
        bytes = .allocate(capacity: maximumByteCount + SearchFormsBuilder.padding)
        bytes.initialize(repeating: 0)
        ends.reserveCapacity(names)
        pairs.reserveCapacity(names)
        wordEnds.reserveCapacity(names)
        wordStarts = Array(repeating: 0, count: maximumByteCount / 64 + 1)
    }

    deinit { bytes.deallocate() }

    /// The letters of all names, and behind them the zeros that are read with the last ones.
    var letters: [UInt8] { Array(bytes[..<(byteCount + SearchFormsBuilder.padding)]) }

    mutating func append(_ folded: UnsafeBufferPointer<UInt8>) {
        words.removeAll(keepingCapacity: true)
        var pairs = LetterPairs()
        var previous: UInt32?
        var isASCII = true
        var end = byteCount
        SearchForm.forEachLetter(of: folded) { letter, letterBytes, beginsWord in
            if beginsWord { words.append(end) }
            if letter < 0x80 {
                bytes[end] = UInt8(truncatingIfNeeded: letter)
                end += 1
            } else {
                isASCII = false
                _ = bytes[end...].update(fromContentsOf: letterBytes)
                end += letterBytes.count
            }
            if let previous { pairs.insert(previous, letter) }
            previous = letter
        }
        byteCount = end
        ends.append(UInt32(end))
        self.pairs.append(pairs)
        for word in words { appendWord(at: word, head: isASCII ? head(at: word) : decodedHead(at: word)) }
        wordEnds.append(UInt32(wordCount))
    }

    private mutating func appendWord(at place: Int, head: UInt64) {
        wordStarts[place >> 6] |= 1 << UInt64(place & 63)
        let lane = wordCount % WordHeadFilter.groupSize
        if lane == 0 { heads.append(contentsOf: repeatElement(.zero, count: WordHead.letterCount)) }
        let group = heads.count - WordHead.letterCount
        heads.withUnsafeMutableBytes { bytes in
            for letter in 0..<WordHead.letterCount {
                let place = (group + letter) * WordHeadFilter.groupSize + lane
                bytes[place] = UInt8(truncatingIfNeeded: head >> UInt64(8 * letter))
            }
        }
        wordCount += 1
    }

    /// ASCII letters are their own codes, and behind the name that is the last one so far there are zeros.
    private func head(at place: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    private func decodedHead(at start: Int) -> UInt64 {
        var codes: [UInt8] = []
        var place = start
        while place < byteCount, codes.count < WordHead.letterCount {
            let (letter, letterByteCount) = UTF8Letter.decode(UnsafeBufferPointer(bytes), at: place)
            codes.append(WordHead.code(letter))
            place += letterByteCount
        }
        return WordHead.pack(codes)
    }
}
