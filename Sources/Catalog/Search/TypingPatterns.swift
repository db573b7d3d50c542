/// The patterns that FUZZY and WORD_PREFIX look for: a query in each of its spellings.
struct TypingPatterns: Sendable {
    private let patterns: [TypingPattern]

    /// Nil if there is nothing to look for.
    ///
    /// - Parameters:
    ///   - form: What was typed.
    ///   - maximumMistakes: How many to forgive at most, where the length would allow more.
    init?(_ form: SearchForm, maximumMistakes: Int = TypingPattern.maximumMistakes) {
        patterns = QuerySpelling.all(of: form).compactMap { TypingPattern($0, maximumMistakes: maximumMistakes) }
        guard !patterns.isEmpty else { return nil }
    }

    /// The names that are near enough to any spelling, in order, and how near the nearest spelling is.
    func forEachName(in names: SearchForms.Memory, _ found: (_ slot: Int, TypingRank) -> Void) {
        guard patterns.count > 1 else { return patterns[0].forEachName(in: names, found) }
        var best: [Int: TypingRank] = [:]
        for pattern in patterns {
            pattern.forEachName(in: names) { slot, rank in best[slot] = min(best[slot] ?? .none, rank) }
        }
        for (slot, rank) in best.sorted(by: { $0.key < $1.key }) { found(slot, rank) }
    }
}
