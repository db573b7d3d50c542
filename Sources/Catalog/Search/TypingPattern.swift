/// Letters that were typed with mistakes, at the beginning of a word: one spelling of a query.
///
/// A mistake is a letter too many, too few, another one, or two that changed places, and no letter is part of two
/// mistakes: the distance called optimal string alignment. A name is as far from the query as the nearest run of letters
/// in it that begins where a word does; it may end anywhere, since people search before they have typed all.
struct TypingPattern: Sendable {
    /// What the automaton is built for.
    static let maximumMistakes = 2

    private let isShortened: Bool
    private let allowedMistakes: Int
    private let filter: WordHeadFilter
    /// The letters, as the automaton wants them.
    private let letters: TypedLetters

    /// Nil if there is nothing to look for.
    ///
    /// - Parameters:
    ///   - spelling: What was typed, in one of its spellings.
    ///   - maximumMistakes: How many to forgive at most, where the length would allow more.
    init?(_ spelling: QuerySpelling, maximumMistakes: Int) {
        let scalars = spelling.form.scalars
        guard !scalars.isEmpty else { return nil }
        isShortened = spelling.isShortened
        let forgiven = spelling.allowsMistakes ? TypingPattern.mistakes(inLetters: scalars.count) : 0
        allowedMistakes = min(forgiven, maximumMistakes)
        filter = WordHeadFilter(scalars, allowedMistakes: allowedMistakes)
        letters = TypedLetters(scalars)
    }

    /// The mistakes that are forgiven: of few letters, one that is wrong makes them like too many names.
    static func mistakes(inLetters count: Int) -> Int {
        switch count {
        case ..<4: 0
        case ..<8: 1
        default: maximumMistakes
        }
    }

    /// The names that are near enough, in order, and how near.
    func forEachName(in names: SearchForms.Memory, _ found: (_ slot: Int, TypingRank) -> Void) {
        letters.withMemory { letters in
            let automaton = TypingAutomaton(letters, allowedMistakes: allowedMistakes)
            // The name that was looked at last, and the best of its words.
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

/// The distance of a name from the typed text: mistakes count first, then whether words of the query were left out, then
/// where the letters stand.
///
///     the whole name  <  its first words  <  its beginning  <  other words  <  their beginning
struct TypingRank: Sendable, Hashable, Comparable {
    static let count = (TypingPattern.maximumMistakes + 1) * 2 * places
    /// Behind every rank.
    static let none = TypingRank(number: count)

    private static let places = 5

    /// 0 to `count` - 1, the best first.
    let number: Int

    private init(number: Int) { self.number = number }

    /// - Parameters:
    ///   - mistakes: How many there are.
    ///   - isFirstWord: Whether the letters are the name's beginning.
    ///   - isWholeWord: Whether they end where a word does.
    ///   - isEnd: Whether they end where the name does.
    @inline(__always)
    init(mistakes: Int, isFirstWord: Bool, isWholeWord: Bool, isEnd: Bool) {
        let place = isFirstWord ? (isEnd ? 0 : isWholeWord ? 1 : 2) : (isWholeWord ? 3 : 4)
        self.init(number: mistakes * 2 * TypingRank.places + place)
    }

    /// The same, found without some words of the query.
    var shortened: TypingRank { TypingRank(number: number + TypingRank.places) }

    /// Whether what was typed is the name, letter by letter.
    var isWholeName: Bool { number == 0 || number == TypingRank.places }

    @inline(__always)
    static func < (left: TypingRank, right: TypingRank) -> Bool { left.number < right.number }
}
