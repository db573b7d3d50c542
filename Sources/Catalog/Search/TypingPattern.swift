internal import MarvelDomain

/// Finds one spelling of a query at the beginning of a word, with typing mistakes tolerated.
///
/// A mistake is an extra letter, a missing letter, another letter, or two swapped letters (optimal string alignment
/// distance). The match may end anywhere, because people search before they have typed all letters.
struct TypingPattern: Sendable {
    /// `WordSignature` supports at most two.
    static let maximumMistakes = 2

    private let isShortened: Bool
    private let allowedMistakes: Int
    private let letters: [UInt32]
    private let utf8: [UInt8]
    private let signature: WordSignature

    /// Nil without letters. `maximumMistakes` applies in addition to the limit by the query's length.
    init?(_ spelling: QuerySpelling, maximumMistakes: Int) {
        letters = spelling.form.scalars
        utf8 = spelling.form.letters
        guard !letters.isEmpty else { return nil }
        isShortened = spelling.isShortened
        let forgiven = spelling.allowsMistakes ? TypingPattern.mistakes(inLetters: letters.count) : 0
        allowedMistakes = min(forgiven, maximumMistakes)
        signature = WordSignature(ofTyped: letters)
    }

    /// In a short query a mistake would match too many names.
    static func mistakes(inLetters count: Int) -> Int {
        switch count {
        case ..<4: 0
        case ..<8: 1
        default: maximumMistakes
        }
    }

    /// Returns the blocks without typing mistakes.
    func blocks(of index: CharacterIndex) -> [Int] { index.blocks(mayHaveWordsBeginningWith: utf8) }

    /// In order.
    func forEachName(in names: SearchForms, _ found: (_ slot: Int, TypingRank) -> Void) {
        var (last, best) = (0, TypingRank.none)
        func note(_ rank: TypingRank, of word: SearchForms.Word) {
            let slot = Int(word.slot)
            if slot != last {
                if best < .none { found(last, isShortened ? best.shortened : best) }
                (last, best) = (slot, .none)
            }
            best = min(best, rank)
        }
        if allowedMistakes == 0 {
            names.forEachWord(beginningWith: utf8) { number, word in
                let end = Int(word.place) + utf8.count
                note(TypingRank(mistakes: 0, from: word, number, to: end, in: names), of: word)
            }
        } else {
            var comparison = WordComparison(of: letters, allowedMistakes: allowedMistakes)
            names.forEachWord(signature, mistakes: allowedMistakes) { number, word in
                note(comparison.rank(of: word, number, in: names), of: word)
            }
        }
        if best < .none { found(last, isShortened ? best.shortened : best) }
    }
}

/// Computes a column of the matrix of edit distances with a few operations, a bit for each typed letter (Hyyrö, "A
/// bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
private struct WordComparison {
    private static let maximumLetters = UInt64.bitWidth

    private let letterCount: Int
    private let allowedMistakes: Int
    /// A bit set for each letter. ASCII has a table.
    private var asciiPlaces = [UInt64](repeating: 0, count: 0x80)
    private var otherPlaces: [UInt32: UInt64] = [:]
    private var distances: EditDistances?

    init(of letters: [UInt32], allowedMistakes: Int) {
        letterCount = letters.count
        self.allowedMistakes = allowedMistakes
        guard letters.count <= Self.maximumLetters else {
            distances = EditDistances(of: letters)
            return
        }
        for (place, letter) in letters.enumerated() {
            if letter < 0x80 {
                asciiPlaces[Int(letter)] |= 1 << UInt64(place)
            } else {
                otherPlaces[letter, default: 0] |= 1 << UInt64(place)
            }
        }
    }

    /// `.none` if the letters differ too much.
    mutating func rank(of word: SearchForms.Word, _ number: Int, in names: SearchForms) -> TypingRank {
        var best = TypingRank.none
        forEachEnd(of: Int(word.place), in: names) { place, mistakes in
            best = min(best, TypingRank(mistakes: mistakes, from: word, number, to: place, in: names))
        }
        return best
    }

    @inline(__always)
    private mutating func forEachEnd(
        of start: Int,
        in names: SearchForms,
        _ body: (_ place: Int, _ mistakes: Int) -> Void
    ) {
        guard distances == nil else { return forEachEndOfLongText(of: start, in: names, body) }
        // The distances of a column, as the differences between neighbors: the bits of those that are 1, and of those
        // that are -1. `diagonal` has the bits of those that equal the distance of one letter less on both sides.
        var (increases, decreases, diagonal, lastPlaces) = (UInt64.max, 0 as UInt64, 0 as UInt64, 0 as UInt64)
        let lastLetter: UInt64 = 1 << UInt64(letterCount - 1)
        var mistakes = letterCount
        forEachLetter(of: start, in: names) { letter, place, rest in
            let places = letter < 0x80 ? asciiPlaces[Int(letter)] : otherPlaces[letter] ?? 0
            let swaps = (~diagonal & places) << 1 & lastPlaces
            diagonal = ((places & increases) &+ increases) ^ increases | places | decreases | swaps
            let right = decreases | ~(diagonal | increases)
            let left = diagonal & increases
            if right & lastLetter != 0 { mistakes += 1 } else if left & lastLetter != 0 { mistakes -= 1 }
            // Each skipped letter before the text is a mistake.
            let shifted = right << 1 | 1
            increases = left << 1 | ~(diagonal | shifted)
            decreases = shifted & diagonal
            lastPlaces = places
            if mistakes <= allowedMistakes { body(place, mistakes) }
            return mistakes - rest <= allowedMistakes
        }
    }

    private mutating func forEachEndOfLongText(
        of start: Int,
        in names: SearchForms,
        _ body: (_ place: Int, _ mistakes: Int) -> Void
    ) {
        // A letter has a byte at least, and a zero ends each name: most words are too short.
        guard !names.letters[start...].prefix(letterCount - allowedMistakes).contains(0) else { return }
        var (text, places): ([UInt32], [Int]) = ([], [])
        forEachLetter(of: start, in: names) { letter, place, _ in
            text.append(letter)
            places.append(place)
            return true
        }
        guard text.count + allowedMistakes >= letterCount,
            distances?.compare(to: text, atMost: allowedMistakes) == true
        else { return }
        for count in letterCount - allowedMistakes..<text.count + 1 {
            guard let mistakes = distances?[letterCount, count], mistakes <= allowedMistakes else { continue }
            body(places[count - 1], mistakes)
        }
    }

    /// `body` gets the letter, the place behind it, and the number of letters that may follow. It ends when `body`
    /// returns false.
    @inline(__always)
    private func forEachLetter(
        of start: Int,
        in names: SearchForms,
        _ body: (_ letter: UInt32, _ place: Int, _ rest: Int) -> Bool
    ) {
        names.letters.withUnsafeBufferPointer { letters in
            var (place, rest) = (start, letterCount + allowedMistakes)
            while rest > 0, letters[place] != 0 {
                let (letter, byteCount) = UTF8Scalar.decode(letters, at: place)
                (place, rest) = (place + byteCount, rest - 1)
                guard body(letter, place, rest) else { return }
            }
        }
    }
}

/// A rank by the number of mistakes, then by dropped query words, then by the letters' place.
///
///     the whole name  <  its first words  <  its beginning  <  other words  <  their beginning
struct TypingRank: Sendable, Hashable, Comparable {
    static let count = (TypingPattern.maximumMistakes + 1) * 2 * places
    /// The last of all ranks.
    static let none = TypingRank(number: count)

    private static let places = 5

    /// 0 to `count` - 1, the best first.
    let number: Int

    private init(number: Int) { self.number = number }

    @inline(__always)
    init(mistakes: Int, isFirstWord: Bool, isWholeWord: Bool, isEnd: Bool) {
        let place = isFirstWord ? (isEnd ? 0 : isWholeWord ? 1 : 2) : (isWholeWord ? 3 : 4)
        self.init(number: mistakes * 2 * TypingRank.places + place)
    }

    init(mistakes: Int, from word: SearchForms.Word, _ number: Int, to place: Int, in names: SearchForms) {
        let name = names.range(Int(word.slot))
        let isEnd = place == name.upperBound
        self.init(
            mistakes: mistakes,
            isFirstWord: Int(word.place) == name.lowerBound,
            isWholeWord: isEnd || names.isWordStart(place, behind: number),
            isEnd: isEnd
        )
    }

    var shortened: TypingRank { TypingRank(number: number + TypingRank.places) }

    /// Letter by letter.
    var isWholeName: Bool { number == 0 || number == TypingRank.places }

    @inline(__always)
    static func < (left: TypingRank, right: TypingRank) -> Bool { left.number < right.number }
}

/// One pattern for each spelling of a FUZZY or WORD_PREFIX query.
struct TypingPatterns: Sendable {
    private let patterns: [TypingPattern]

    /// Nil without letters.
    init?(_ form: SearchForm, maximumMistakes: Int = TypingPattern.maximumMistakes) {
        patterns = QuerySpelling.all(of: form).compactMap { TypingPattern($0, maximumMistakes: maximumMistakes) }
        guard !patterns.isEmpty else { return nil }
    }

    /// Without mistakes, in ascending order.
    func blocks(of index: CharacterIndex) -> [Int] {
        patterns.count == 1
            ? patterns[0].blocks(of: index) : Set(patterns.flatMap { $0.blocks(of: index) }).sorted()
    }

    /// In order, with the best rank of any spelling.
    func forEachName(in names: SearchForms, _ found: (_ slot: Int, TypingRank) -> Void) {
        guard patterns.count > 1 else { return patterns[0].forEachName(in: names, found) }
        var best: [Int: TypingRank] = [:]
        for pattern in patterns {
            pattern.forEachName(in: names) { slot, rank in best[slot] = min(best[slot] ?? .none, rank) }
        }
        for (slot, rank) in best.sorted(by: { $0.key < $1.key }) { found(slot, rank) }
    }
}
