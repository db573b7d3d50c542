package import MarvelDomain

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

extension InMemoryCatalog {
    package func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<[NameSuggestion]> {
        let beginning = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        var suggested = SuggestedNames(limit: limit)
        suggested.add(namesAt: beginning, of: index, match: .prefix)
        // Most texts have enough names that begin with them, and those are found without searching all names.
        guard !suggested.isFull else { return .ready(suggested.suggestions) }
        return try lookingAtEveryName { [index, suggested] () throws(CatalogError) in
            var suggested = suggested
            let form = SearchForm(query.text)
            for (match, maximumMistakes) in SuggestedNames.comparisons where match != .fuzzy || suggested.areFew {
                guard let pattern = TypingPatterns(form, maximumMistakes: maximumMistakes) else { break }
                let ranks = try index.positions(nearestTo: pattern)
                // Corrections are ranked by similarity first, completions by the number of comics alone.
                for positions in match == .fuzzy ? ranks : [Array(ranks.joined())] {
                    suggested.add(namesAt: positions.lazy.map(Int.init), of: index, match: match)
                }
            }
            return suggested.suggestions
        }
    }
}

extension SuggestedNames {
    /// Adds the names of the characters with the most comics.
    fileprivate mutating func add(namesAt positions: some Sequence<Int>, of index: CharacterIndex, match: Match) {
        guard !isFull else { return }
        // Several characters may have one name, but hardly thousands.
        for position in index.mostComics(at: positions, count: 10 * limit) where !isFull {
            add(index.name(at: position), match: match)
        }
    }
}
