package import MarvelDomain

struct SuggestedNames {
    /// With this many names or more, names with typing mistakes are not searched.
    private static let few = 3

    private(set) var suggestions: [NameSuggestion] = []
    private let limit: Int
    private var known: Set<String> = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { suggestions.count >= limit }

    var areFew: Bool { suggestions.count < min(limit, SuggestedNames.few) }

    /// Adds names that begin with the text.
    mutating func add(beginningWith query: SearchQuery, in index: CharacterIndex) {
        let beginning = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        let best = index.mostComics(in: beginning, count: limit)
        add(namesAt: best, of: index, match: .prefix)
        // Several characters may share a name.
        guard !isFull, best.count < beginning.count else { return }
        add(namesAt: index.byComics(in: beginning), of: index, match: .prefix)
    }

    /// Returns the number of words that begin with the text.
    static func wordCount(like form: SearchForm, in index: CharacterIndex) -> Int {
        guard let pattern = TypingPatterns(form, maximumMistakes: 0) else { return 0 }
        return index.blocks.reduce(0) { $0 + pattern.wordCount(in: $1.searchForms) }
    }

    /// Adds names in which a word begins with the text.
    mutating func add(withWordsLike form: SearchForm, in index: CharacterIndex) throws(CatalogError) {
        guard !isFull, let pattern = TypingPatterns(form, maximumMistakes: 0) else { return }
        let positions = try index.positions(nearestTo: pattern).joined()
        add(bestOf: positions.map(Int.init), of: index, match: .wordPrefix)
    }

    /// Adds similar names. Corrections rank by similarity first, completions by the number of comics alone.
    mutating func add(similarTo form: SearchForm, in index: CharacterIndex) throws(CatalogError) {
        guard !isFull, let pattern = TypingPatterns(form) else { return }
        for positions in try index.positions(nearestTo: pattern) {
            add(bestOf: positions.map(Int.init), of: index, match: .fuzzy)
        }
    }

    private mutating func add(bestOf positions: [Int], of index: CharacterIndex, match: Match) {
        guard !isFull, !positions.isEmpty else { return }
        // Several characters may share a name, but hardly thousands.
        add(namesAt: index.mostComics(at: positions, count: 10 * limit), of: index, match: match)
    }

    /// Adds names in an order. Call it with stricter matches first.
    private mutating func add(namesAt positions: [Int], of index: CharacterIndex, match: Match) {
        for position in positions where !isFull {
            let name = index.name(at: position)
            if known.insert(name).inserted { suggestions.append(NameSuggestion(name, match: match)) }
        }
    }
}

extension InMemoryCatalog {
    /// The maximum number of blocks in which words are looked up on the caller's event loop. Most of them have no such
    /// word, which the look-up finds out in some nanoseconds.
    private static let immediateBlocks = 512
    /// The maximum number of words that are ranked there.
    private static let immediateWords = 4_096

    package func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<[NameSuggestion]> {
        var suggested = SuggestedNames(limit: limit)
        suggested.add(beginningWith: query, in: index)
        // Most texts have enough names that begin with them.
        guard !suggested.isFull else { return .ready(suggested.suggestions) }
        let form = SearchForm(query.text)
        if index.blocks.count <= Self.immediateBlocks,
            SuggestedNames.wordCount(like: form, in: index) <= Self.immediateWords
        {
            try suggested.add(withWordsLike: form, in: index)
            guard suggested.areFew else { return .ready(suggested.suggestions) }
        }
        return try lookingAtEveryName { [index, suggested] () throws(CatalogError) in
            var suggested = suggested
            try suggested.add(withWordsLike: form, in: index)
            if suggested.areFew { try suggested.add(similarTo: form, in: index) }
            return suggested.suggestions
        }
    }
}
