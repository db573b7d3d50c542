internal import MarvelDomain

/// A list of suggestions, filled with the best ones first.
struct SuggestedNames {
    /// The number of names from which on names with typing mistakes are not searched.
    static let few = 3

    /// The comparisons with every name, in their order: exact ones, then those that tolerate typing mistakes.
    static let comparisons = [(match: Match.wordPrefix, maximumMistakes: 0), (.fuzzy, TypingPattern.maximumMistakes)]

    private(set) var suggestions: [NameSuggestion] = []
    private let limit: Int
    private var known: Set<String> = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { suggestions.count >= limit }

    var areFew: Bool { suggestions.count < min(limit, SuggestedNames.few) }

    /// Adds a name, unless the list contains it or is full.
    ///
    /// - Parameters:
    ///   - name: The name as the catalog has it.
    ///   - match: The match that found the name. The first one counts, so names of the stricter match are added first.
    mutating func add(_ name: String, match: Match) {
        guard !isFull, known.insert(name).inserted else { return }
        suggestions.append(NameSuggestion(name, match: match))
    }
}
