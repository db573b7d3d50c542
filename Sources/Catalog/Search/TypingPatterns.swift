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
