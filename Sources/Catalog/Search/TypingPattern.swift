internal import MarvelDomain

/// The pattern of one spelling of a query, to find at the beginning of a word, with typing mistakes tolerated.
///
/// A mistake is an extra letter, a missing letter, another letter, or two swapped letters. No letter is part of two
/// mistakes: this is the optimal string alignment distance. A name's distance is that of its nearest sequence of
/// letters that begins at a word. The sequence may end anywhere, because people search before they have typed all
/// letters.
struct TypingPattern: Sendable {
    /// The maximum number of tolerated mistakes. `WordSignature` supports at most two.
    static let maximumMistakes = 2

    private let isShortened: Bool
    private let allowedMistakes: Int
    private let letters: [UInt32]
    private let utf8: [UInt8]
    private let signature: WordSignature

    /// Nil if the spelling has no letters. `maximumMistakes` applies in addition to the limit by the query's length.
    init?(_ spelling: QuerySpelling, maximumMistakes: Int) {
        letters = spelling.form.scalars
        utf8 = spelling.form.letters
        guard !letters.isEmpty else { return nil }
        isShortened = spelling.isShortened
        let forgiven = spelling.allowsMistakes ? TypingPattern.mistakes(inLetters: letters.count) : 0
        allowedMistakes = min(forgiven, maximumMistakes)
        signature = WordSignature(ofTyped: letters)
    }

    /// Returns the number of tolerated mistakes. In a short query a mistake would match too many names.
    static func mistakes(inLetters count: Int) -> Int {
        switch count {
        case ..<4: 0
        case ..<8: 1
        default: maximumMistakes
        }
    }

    /// Returns the blocks that may have names with the letters, without mistakes.
    func blocks(of index: CharacterIndex) -> [Int] { index.blocks(mayHaveWordsBeginningWith: utf8) }

    /// Calls `found` with each similar name and its rank, in order.
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

/// A comparison of typed letters with one word after another.
///
/// It computes a whole column of the matrix of edit distances with a few operations, a bit for each typed letter
/// (Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
private struct WordComparison {
    private static let maximumLetters = UInt64.bitWidth

    private let letterCount: Int
    private let allowedMistakes: Int
    /// For each letter, its places in the typed text as bits. ASCII has a table.
    private var asciiPlaces = [UInt64](repeating: 0, count: 0x80)
    private var otherPlaces: [UInt32: UInt64] = [:]
    /// For longer texts, which nobody types.
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

    /// Ranks the letters of a name from a word on, up to the end with the best rank; `.none` if they differ too much.
    mutating func rank(of word: SearchForms.Word, _ number: Int, in names: SearchForms) -> TypingRank {
        var best = TypingRank.none
        forEachEnd(of: Int(word.place), in: names) { place, mistakes in
            best = min(best, TypingRank(mistakes: mistakes, from: word, number, to: place, in: names))
        }
        return best
    }

    /// Calls `body` with each place in `names.letters` up to which the letters from `start` are similar.
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
            // A further letter makes one mistake less at best.
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

    /// Calls `body` with each letter that may belong to the typed ones, the place behind it, and the number of letters
    /// that may follow. It ends when `body` returns false.
    @inline(__always)
    private func forEachLetter(
        of start: Int,
        in names: SearchForms,
        _ body: (_ letter: UInt32, _ place: Int, _ rest: Int) -> Bool
    ) {
        names.letters.withUnsafeBufferPointer { letters in
            var (place, rest) = (start, letterCount + allowedMistakes)
            // A zero ends each name.
            while rest > 0, letters[place] != 0 {
                let (letter, byteCount) = UTF8Scalar.decode(letters, at: place)
                (place, rest) = (place + byteCount, rest - 1)
                guard body(letter, place, rest) else { return }
            }
        }
    }
}

/// The rank of a name in the results: by the number of mistakes, then by dropped query words, then by the letters'
/// place.
///
///     the whole name  <  its first words  <  its beginning  <  other words  <  their beginning
struct TypingRank: Sendable, Hashable, Comparable {
    static let count = (TypingPattern.maximumMistakes + 1) * 2 * places
    /// The rank of a name that does not match, after all other ranks.
    static let none = TypingRank(number: count)

    private static let places = 5

    /// The rank as a number, 0 to `count` - 1, the best first.
    let number: Int

    private init(number: Int) { self.number = number }

    /// The flags mean: the letters begin where the name begins, end where a word ends, and end where the name ends.
    @inline(__always)
    init(mistakes: Int, isFirstWord: Bool, isWholeWord: Bool, isEnd: Bool) {
        let place = isFirstWord ? (isEnd ? 0 : isWholeWord ? 1 : 2) : (isWholeWord ? 3 : 4)
        self.init(number: mistakes * 2 * TypingRank.places + place)
    }

    /// The rank of the letters from the beginning of a word to a place in the same name.
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

    /// Whether the query equals the name, letter by letter.
    var isWholeName: Bool { number == 0 || number == TypingRank.places }

    @inline(__always)
    static func < (left: TypingRank, right: TypingRank) -> Bool { left.number < right.number }
}

/// The patterns of a FUZZY or WORD_PREFIX search, one for each spelling of the query.
struct TypingPatterns: Sendable {
    private let patterns: [TypingPattern]

    /// Nil if the query has no letters. `maximumMistakes` applies in addition to the limit by the query's length.
    init?(_ form: SearchForm, maximumMistakes: Int = TypingPattern.maximumMistakes) {
        patterns = QuerySpelling.all(of: form).compactMap { TypingPattern($0, maximumMistakes: maximumMistakes) }
        guard !patterns.isEmpty else { return nil }
    }

    /// Returns the blocks that may have names with a spelling, without mistakes, in ascending order.
    func blocks(of index: CharacterIndex) -> [Int] {
        patterns.count == 1
            ? patterns[0].blocks(of: index) : Set(patterns.flatMap { $0.blocks(of: index) }).sorted()
    }

    /// Calls `found` with each name that is similar to any spelling and its best rank, in order.
    func forEachName(in names: SearchForms, _ found: (_ slot: Int, TypingRank) -> Void) {
        guard patterns.count > 1 else { return patterns[0].forEachName(in: names, found) }
        var best: [Int: TypingRank] = [:]
        for pattern in patterns {
            pattern.forEachName(in: names) { slot, rank in best[slot] = min(best[slot] ?? .none, rank) }
        }
        for (slot, rank) in best.sorted(by: { $0.key < $1.key }) { found(slot, rank) }
    }
}
