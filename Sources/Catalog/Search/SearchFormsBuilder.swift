/// A builder of the search forms of a block's names.
struct SearchFormsBuilder: ~Copyable {
    /// The number of zeros after the last letter, because so many bytes are read at every letter.
    private static let padding = 8

    private(set) var ends: [UInt32] = []
    private(set) var pairs: [LetterPairs] = []
    private(set) var wordStarts: [UInt64]
    private(set) var words: [SearchForms.Word] = []
    private(set) var heads = WordHeads()

    /// The letters so far, followed by zeros. It is not an array, because an array would check for uniqueness at each
    /// letter of the catalog.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var byteCount = 0

    /// - Parameters:
    ///   - names: The number of names that will be appended.
    ///   - maximumByteCount: The number of bytes of all folded names, which is at least that of their search forms.
    init(names: Int, bytes maximumByteCount: Int) {
        bytes = .allocate(capacity: maximumByteCount + SearchFormsBuilder.padding)
        bytes.initialize(repeating: 0)
        ends.reserveCapacity(names)
        pairs.reserveCapacity(names)
        wordStarts = Array(repeating: 0, count: maximumByteCount / 64 + 1)
    }

    deinit { bytes.deallocate() }

    /// The letters of all names, followed by the zeros that are read together with the last letters.
    var letters: [UInt8] { Array(bytes[..<(byteCount + SearchFormsBuilder.padding)]) }

    mutating func append(_ folded: UnsafeBufferPointer<UInt8>) {
        var pairs = LetterPairs()
        var previous: UInt32?
        var end = byteCount
        let slot = UInt32(ends.count)
        let firstWord = words.count
        SearchForm.forEachLetter(of: folded) { letter, letterBytes, beginsWord in
            if beginsWord { words.append(SearchForms.Word(slot: slot, place: UInt32(end))) }
            if letter < 0x80 {
                bytes[end] = UInt8(truncatingIfNeeded: letter)
                end += 1
            } else {
                _ = bytes[end...].update(fromContentsOf: letterBytes)
                end += letterBytes.count
            }
            if let previous { pairs.insert(previous, letter) }
            previous = letter
        }
        byteCount = end
        ends.append(UInt32(end))
        self.pairs.append(pairs)
        for word in words[firstWord...].lazy.map({ Int($0.place) }) {
            wordStarts[word >> 6] |= 1 << UInt64(word & 63)
            heads.append(UTF8Scalars(UnsafeBufferPointer(rebasing: bytes[word..<byteCount])))
        }
    }
}
