private import Glibc

struct SearchForms: Sendable {
    /// A zero follows each name, so that no match spans two names.
    private(set) var letters: [UInt8]
    private var ends: [UInt32] = []
    private var words: [Word] = []
    /// Sorted by the letters from the word to the end of its name.
    private var sortedWords: [UInt32] = []
    private var signatures: [WordSignature] = []

    struct Word: BitwiseCopyable {
        let slot: UInt32
        let place: UInt32
    }

    init(_ foldedNames: PackedTexts) {
        letters = []
        letters.reserveCapacity(foldedNames.byteCount + foldedNames.count)
        ends.reserveCapacity(foldedNames.count)
        // The scalars of one name, and the indexes at which its words begin.
        var (scalars, starts): ([UInt32], [Int]) = ([], [])
        foldedNames.forEach { folded in
            SearchForm.forEachLetter(of: folded) { letter, bytes, beginsWord in
                if beginsWord {
                    words.append(Word(slot: UInt32(ends.count), place: UInt32(letters.count)))
                    starts.append(scalars.count)
                }
                scalars.append(letter)
                if letter < 0x80 { letters.append(UInt8(letter)) } else { letters.append(contentsOf: bytes) }
            }
            for start in starts { signatures.append(WordSignature(ofText: scalars[start...])) }
            scalars.removeAll(keepingCapacity: true)
            starts.removeAll(keepingCapacity: true)
            ends.append(UInt32(letters.count))
            letters.append(0)
        }
        sortByLetters()
    }

    private mutating func sortByLetters() {
        sortedWords = letters.withUnsafeBufferPointer { letters in
            guard let start = letters.baseAddress else { return [] }
            // The first letters decide most comparisons. The zero behind each name ends the others.
            let keys = words.enumerated().map { (head: head(of: $1, in: letters), number: UInt32($0)) }
            let sorted = keys.sorted { left, right in
                if left.head != right.head { return left.head < right.head }
                let (leftWord, rightWord) = (words[Int(left.number)], words[Int(right.number)])
                let order = strcmp(start + Int(leftWord.place), start + Int(rightWord.place))
                return order != 0 ? order < 0 : left.number < right.number
            }
            return sorted.map(\.number)
        }
    }

    private func head(of word: Word, in letters: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let text = letters[Int(word.place)..<Int(ends[Int(word.slot)])]
        return PackedTexts.head(UnsafeBufferPointer(rebasing: text))
    }

    var wordCount: Int { words.count }

    /// In the order of the letters.
    func forEachSortedWord(_ body: (_ head: UInt64, _ slot: Int) -> Void) {
        letters.withUnsafeBufferPointer { letters in
            for number in sortedWords {
                let word = words[Int(number)]
                body(head(of: word, in: letters), Int(word.slot))
            }
        }
    }

    func hasWord(_ sought: [UInt8], slot: Int) -> Bool {
        let first = partitionPoint(0..<words.count) { words[$0].slot >= slot }
        return words[first...].lazy.prefix { $0.slot == slot }.contains { word in
            letters[Int(word.place)..<Int(ends[slot])].starts(with: sought)
        }
    }

    func range(_ slot: Int) -> Range<Int> { (slot == 0 ? 0 : Int(ends[slot - 1]) + 1)..<Int(ends[slot]) }

    /// In order. The letters must not be empty.
    func forEachName(containing sought: [UInt8], _ body: (_ slot: Int, _ isWholeName: Bool) -> Void) {
        letters.withUnsafeBufferPointer { letters in
            guard let first = letters.baseAddress else { return }
            let end = first + letters.count - sought.count
            var (slot, place) = (0, first)
            while place <= end, let hit = memchr(place, CInt(sought[0]), end - place + 1) {
                place = UnsafePointer(hit.assumingMemoryBound(to: UInt8.self))
                guard memcmp(place, sought, sought.count) == 0 else {
                    place += 1
                    continue
                }
                let start = place - first
                slot = partitionPoint(slot..<ends.count) { Int(ends[$0]) >= start }
                body(slot, range(slot).count == sought.count)
                place = first + Int(ends[slot]) + 1
            }
        }
    }

    /// In order. The letters may continue into later words.
    func forEachWord(beginningWith sought: [UInt8], _ body: (_ number: Int, Word) -> Void) {
        for number in sortedWords[places(ofWordsBeginningWith: sought)].sorted() {
            body(Int(number), words[Int(number)])
        }
    }

    private func places(ofWordsBeginningWith sought: [UInt8]) -> Range<Int> {
        letters.withUnsafeBufferPointer { letters in
            guard let start = letters.baseAddress else { return 0..<0 }
            // The zero behind a name ends its comparison with a longer text.
            func order(_ place: Int) -> CInt {
                sought.withUnsafeBufferPointer { sought in
                    guard let text = sought.baseAddress else { return 0 }
                    return strncmp(start + Int(words[Int(sortedWords[place])].place), text, sought.count)
                }
            }
            let first = partitionPoint(0..<sortedWords.count) { order($0) >= 0 }
            return first..<partitionPoint(first..<sortedWords.count) { order($0) > 0 }
        }
    }

    /// In order. `mistakes` is 0 to 2.
    func forEachWord(_ signature: WordSignature, mistakes: Int, _ body: (_ number: Int, Word) -> Void) {
        signatures.withUnsafeBufferPointer { signatures in
            for number in signatures.indices where signatures[number].mayBegin(with: signature, mistakes: mistakes) {
                body(number, words[number])
            }
        }
    }

    /// The place must be behind the start of the word `number`.
    func isWordStart(_ place: Int, behind number: Int) -> Bool {
        words[(number + 1)...].first { $0.place >= place }.map { $0.place == place } ?? false
    }
}

/// A filter that excludes nearly all words by one comparison. A typed letter is at most two places away from its place
/// in the word, unless it is a mistake. So the first four typed letters are among the first six of the text (the low
/// half of the bits), and the next four among the third to the tenth (the high half). Letters share bits, so the answer
/// is "perhaps" or "no".
struct WordSignature: BitwiseCopyable, Sendable {
    private var bits: UInt64 = 0

    /// The scalars from the beginning of a word to the end of its name.
    init(ofText letters: ArraySlice<UInt32>) { insert(letters.prefix(6), letters.dropFirst(2).prefix(8)) }

    init(ofTyped letters: [UInt32]) { insert(letters.prefix(4), letters.dropFirst(4).prefix(4)) }

    private mutating func insert(_ first: ArraySlice<UInt32>, _ second: ArraySlice<UInt32>) {
        for letter in first { bits |= 1 << UInt64(letter & 31) }
        for letter in second { bits |= 1 << UInt64(32 + letter & 31) }
    }

    /// `mistakes` is 0 to 2.
    @inline(__always)
    func mayBegin(with typed: WordSignature, mistakes: Int) -> Bool {
        var missing = typed.bits & ~bits
        if mistakes > 0 { missing &= missing &- 1 }
        if mistakes > 1 { missing &= missing &- 1 }
        return missing == 0
    }
}
