internal import MarvelDomain

/// Names to complete what is being typed, gathered best first.
struct SuggestedNames {
    /// So many names that begin with what was typed are enough: typing mistakes are thought of only if there are fewer.
    static let few = 3

    /// The comparisons with every name, in their order: as typed, then with typing mistakes forgiven.
    static let comparisons = [(match: Match.wordPrefix, maximumMistakes: 0), (.fuzzy, TypingPattern.maximumMistakes)]

    private(set) var suggestions: [NameSuggestion] = []
    private let limit: Int
    private var known: Set<String> = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { suggestions.count >= limit }

    var areFew: Bool { suggestions.count < min(limit, SuggestedNames.few) }

    /// Takes a name, unless it is there already or there are enough.
    ///
    /// - Parameters:
    ///   - name: The name as the catalog has it.
    ///   - match: How the name was found. What finds it first counts, so add those of the stricter match first.
    mutating func add(_ name: String, match: Match) {
        guard !isFull, known.insert(name).inserted else { return }
        suggestions.append(NameSuggestion(name, match: match))
    }
}
