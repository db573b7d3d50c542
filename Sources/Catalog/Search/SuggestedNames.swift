package import MarvelDomain

struct SuggestedNames {
    /// With this many names or more, names with typing mistakes are not searched.
    private static let few = 3

    /// The comparisons with every name, in order: exact ones, then those that tolerate typing mistakes.
    private static let comparisons = [
        (match: Match.wordPrefix, maximumMistakes: 0), (.fuzzy, TypingPattern.maximumMistakes),
    ]

    private(set) var suggestions: [NameSuggestion] = []
    private let limit: Int
    private var known: Set<String> = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { suggestions.count >= limit }

    private var areFew: Bool { suggestions.count < min(limit, SuggestedNames.few) }

    mutating func add(beginningWith query: SearchQuery, in index: CharacterIndex) {
        let beginning = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        add(namesAt: beginning, of: index, match: .prefix)
    }

    /// Adds names in which a word begins with the text. If there are few, it adds similar names.
    mutating func add(near query: SearchQuery, in index: CharacterIndex) throws(CatalogError) {
        let form = SearchForm(query.text)
        for (match, maximumMistakes) in SuggestedNames.comparisons where match != .fuzzy || areFew {
            guard !isFull, let pattern = TypingPatterns(form, maximumMistakes: maximumMistakes) else { return }
            let ranks = try index.positions(nearestTo: pattern)
            // Corrections rank by similarity first, completions by the number of comics alone.
            for positions in match == .fuzzy ? ranks : [Array(ranks.joined())] {
                add(namesAt: positions.lazy.map(Int.init), of: index, match: match)
            }
        }
    }

    /// Adds the names of the characters with the most comics. Call it with stricter matches first.
    private mutating func add(namesAt positions: some Sequence<Int>, of index: CharacterIndex, match: Match) {
        guard !isFull else { return }
        // Several characters may share a name, but hardly thousands.
        for position in index.mostComics(at: positions, count: 10 * limit) where !isFull {
            let name = index.name(at: position)
            if known.insert(name).inserted { suggestions.append(NameSuggestion(name, match: match)) }
        }
    }
}

extension InMemoryCatalog {
    package func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<[NameSuggestion]> {
        var suggested = SuggestedNames(limit: limit)
        suggested.add(beginningWith: query, in: index)
        // Most texts have enough names that begin with them, which need no search of all names.
        guard !suggested.isFull else { return .ready(suggested.suggestions) }
        return try lookingAtEveryName { [index, suggested] () throws(CatalogError) in
            var suggested = suggested
            try suggested.add(near: query, in: index)
            return suggested.suggestions
        }
    }
}
