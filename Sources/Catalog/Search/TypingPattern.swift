/// The pattern of one spelling of a query, to find at the beginning of a word, with typing mistakes tolerated.
///
/// A mistake is an extra letter, a missing letter, another letter, or two swapped letters, and no letter is part of two
/// mistakes: the optimal string alignment distance. The distance of a name is that of the nearest sequence of its
/// letters that begins where a word begins. The sequence may end anywhere, because people search before they have typed
/// all letters.
struct TypingPattern: Sendable {
    /// The maximum number of mistakes that the automaton supports.
    static let maximumMistakes = 2

    private let isShortened: Bool
    private let allowedMistakes: Int
    private let filter: WordHeadFilter
    /// The letters in the form that the automaton needs.
    private let letters: TypedLetters

    /// Creates a pattern; nil if the spelling has no letters.
    ///
    /// - Parameters:
    ///   - spelling: One spelling of the query.
    ///   - maximumMistakes: An upper limit on the tolerated mistakes, in addition to that by the query's length.
    init?(_ spelling: QuerySpelling, maximumMistakes: Int) {
        let scalars = spelling.form.scalars
        guard !scalars.isEmpty else { return nil }
        isShortened = spelling.isShortened
        let forgiven = spelling.allowsMistakes ? TypingPattern.mistakes(inLetters: scalars.count) : 0
        allowedMistakes = min(forgiven, maximumMistakes)
        filter = WordHeadFilter(scalars, allowedMistakes: allowedMistakes)
        letters = TypedLetters(scalars)
    }

    /// Returns the number of mistakes that are tolerated. In a short query a mistake would match too many names.
    static func mistakes(inLetters count: Int) -> Int {
        switch count {
        case ..<4: 0
        case ..<8: 1
        default: maximumMistakes
        }
    }

    /// Calls `found` with each name that is similar enough, in order, and with its rank.
    func forEachName(in names: SearchForms.Memory, _ found: (_ slot: Int, TypingRank) -> Void) {
        letters.withMemory { letters in
            let automaton = TypingAutomaton(letters, allowedMistakes: allowedMistakes)
            // The last compared name, and the best rank of its words.
            var (last, best) = (0, TypingRank.none)
            names.forEachWord(filter) { word in
                let slot = Int(word.slot)
                if slot != last {
                    if best < .none { found(last, isShortened ? best.shortened : best) }
                    (last, best) = (slot, .none)
                }
                best = min(best, automaton.rank(at: Int(word.place), of: names.range(slot), in: names))
            }
            if best < .none { found(last, isShortened ? best.shortened : best) }
        }
    }
}

/// The rank of a name in the results: first by the number of mistakes, then by whether words of the query were left
/// out, then by the place of the letters in the name.
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

    /// - Parameters:
    ///   - mistakes: The number of mistakes.
    ///   - isFirstWord: Whether the letters begin where the name begins.
    ///   - isWholeWord: Whether the letters end where a word ends.
    ///   - isEnd: Whether the letters end where the name ends.
    @inline(__always)
    init(mistakes: Int, isFirstWord: Bool, isWholeWord: Bool, isEnd: Bool) {
        let place = isFirstWord ? (isEnd ? 0 : isWholeWord ? 1 : 2) : (isWholeWord ? 3 : 4)
        self.init(number: mistakes * 2 * TypingRank.places + place)
    }

    /// The same rank for a query from which words were left out.
    var shortened: TypingRank { TypingRank(number: number + TypingRank.places) }

    /// Whether the query equals the name, letter by letter.
    var isWholeName: Bool { number == 0 || number == TypingRank.places }

    @inline(__always)
    static func < (left: TypingRank, right: TypingRank) -> Bool { left.number < right.number }
}

/// The patterns of a FUZZY or WORD_PREFIX search: one for each spelling of the query.
struct TypingPatterns: Sendable {
    private let patterns: [TypingPattern]

    /// Creates the patterns; nil if the query has no letters.
    ///
    /// - Parameters:
    ///   - form: The query.
    ///   - maximumMistakes: An upper limit on the tolerated mistakes, in addition to that by the query's length.
    init?(_ form: SearchForm, maximumMistakes: Int = TypingPattern.maximumMistakes) {
        patterns = QuerySpelling.all(of: form).compactMap { TypingPattern($0, maximumMistakes: maximumMistakes) }
        guard !patterns.isEmpty else { return nil }
    }

    /// Calls `found` with each name that is similar enough to any spelling, in order, and with its best rank.
    func forEachName(in names: SearchForms.Memory, _ found: (_ slot: Int, TypingRank) -> Void) {
        guard patterns.count > 1 else { return patterns[0].forEachName(in: names, found) }
        var best: [Int: TypingRank] = [:]
        for pattern in patterns {
            pattern.forEachName(in: names) { slot, rank in best[slot] = min(best[slot] ?? .none, rank) }
        }
        for (slot, rank) in best.sorted(by: { $0.key < $1.key }) { found(slot, rank) }
    }
}
