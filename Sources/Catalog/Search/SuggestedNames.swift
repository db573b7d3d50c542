package import MarvelDomain

struct SuggestedNames {
    /// With this many names or more, names with typing mistakes are not searched.
    private static let few = 3

    private(set) var suggestions: [NameSuggestion] = []
    private let limit: Int
    /// The hashes of the names.
    private var known: [Int] = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { suggestions.count >= limit }

    var areFew: Bool { suggestions.count < min(limit, SuggestedNames.few) }

    private var rest: Int { limit - suggestions.count }

    /// Adds names that begin with the text.
    mutating func add(beginningWith query: SearchQuery, in index: CharacterIndex) {
        let beginning = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        add(index.mostComics(in: beginning, count: limit), of: index, match: .prefix)
    }

    /// Adds names in which a word begins with one of the texts.
    mutating func add(withWords texts: [[UInt8]], in index: CharacterIndex) {
        guard !isFull else { return }
        add(index.mostComics(withWords: texts, count: rest, without: known), of: index, match: .wordPrefix)
    }

    /// Adds similar names. Corrections rank by similarity first, completions by the number of comics alone.
    mutating func add(similarTo form: SearchForm, in index: CharacterIndex) throws(CatalogError) {
        guard !isFull, let pattern = TypingPatterns(form) else { return }
        for positions in try index.positions(nearestTo: pattern) where !isFull {
            add(index.mostComics(at: positions, count: rest, without: known), of: index, match: .fuzzy)
        }
    }

    private mutating func add(_ positions: [Int], of index: CharacterIndex, match: Match) {
        for position in positions {
            known.append(index.nameHash(at: position))
            suggestions.append(NameSuggestion(index.name(at: position), match: match))
        }
    }
}

extension InMemoryCatalog {
    /// The maximum number of words that are ranked on the caller's event loop.
    private static let immediateWords = 4_096

    package func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<[NameSuggestion]> {
        var suggested = SuggestedNames(limit: limit)
        suggested.add(beginningWith: query, in: index)
        // Most texts have enough names that begin with them.
        guard !suggested.isFull else { return .ready(suggested.suggestions) }
        let form = SearchForm(query.text)
        let words = QuerySpelling.all(of: form).map(\.form.letters).filter { !$0.isEmpty }
        if words.reduce(0, { $0 + index.words.count(beginningWith: $1) }) <= Self.immediateWords {
            suggested.add(withWords: words, in: index)
            guard suggested.areFew else { return .ready(suggested.suggestions) }
        }
        return try lookingAtEveryName { [index, suggested] () throws(CatalogError) in
            var suggested = suggested
            suggested.add(withWords: words, in: index)
            if suggested.areFew { try suggested.add(similarTo: form, in: index) }
            return suggested.suggestions
        }
    }
}
