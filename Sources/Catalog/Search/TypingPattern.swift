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

/// A comparison of typed letters with one word after another. It reuses its memory.
private struct WordComparison {
    private let letterCount: Int
    private let allowedMistakes: Int
    private var distances: EditDistances
    private var text: [UInt32] = []
    /// The place behind each of these letters.
    private var places: [Int] = []

    init(of letters: [UInt32], allowedMistakes: Int) {
        letterCount = letters.count
        self.allowedMistakes = allowedMistakes
        distances = EditDistances(of: letters)
    }

    /// Ranks the letters of a name from a word on, up to the end with the best rank; `.none` if they differ too much.
    mutating func rank(of word: SearchForms.Word, _ number: Int, in names: SearchForms) -> TypingRank {
        let (start, name) = (Int(word.place), names.range(Int(word.slot)))
        read(start..<name.upperBound, of: names)
        guard text.count + allowedMistakes >= letterCount,
            distances.compare(to: text, atMost: allowedMistakes)
        else { return .none }
        var best = TypingRank.none
        for count in max(letterCount - allowedMistakes, 0)..<text.count + 1 {
            let mistakes = distances[letterCount, count]
            guard mistakes <= allowedMistakes else { continue }
            let place = count == 0 ? start : places[count - 1]
            best = min(best, TypingRank(mistakes: mistakes, from: word, number, to: place, in: names))
        }
        return best
    }

    private mutating func read(_ range: Range<Int>, of names: SearchForms) {
        text.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        names.letters.withUnsafeBufferPointer { letters in
            var place = range.lowerBound
            while place < range.upperBound, text.count < letterCount + allowedMistakes {
                let (letter, byteCount) = UTF8Scalar.decode(letters, at: place)
                place += byteCount
                text.append(letter)
                places.append(place)
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
