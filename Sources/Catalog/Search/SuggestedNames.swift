package import MarvelDomain

struct SuggestedNames {
    /// With this many names or more, names with typing mistakes are not searched.
    private static let few = 3

    private(set) var suggestions: [NameSuggestion] = []
    private let limit: Int
    /// The names that begin with the text.
    private var beginning = 0..<0

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { suggestions.count >= limit }

    var areFew: Bool { suggestions.count < min(limit, SuggestedNames.few) }

    /// Adds names that begin with the text.
    mutating func add(beginningWith query: SearchQuery, in index: CharacterIndex) {
        beginning = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        let best = index.mostComics(in: beginning, count: limit)
        add(namesAt: best, of: index, match: .prefix)
        // Several characters may share a name.
        guard !isFull, best.count < beginning.count else { return }
        add(namesAt: index.byComics(in: beginning), of: index, match: .prefix)
    }

    /// Adds names that have one of the words. All names that begin with the text must be added before.
    mutating func add(withWords found: FoundWords, of index: CharacterIndex) {
        // Few characters share a name, and a short ranking is fast.
        for maximum in [limit, longRanking] where !isFull {
            var ranking = ComicsRanking(maximumCount: maximum)
            for (block, places) in found.places {
                index.blocks[block].rank(wordsAt: places, in: &ranking, start: index.starts[block], except: beginning)
            }
            add(namesAt: ranking.positions, of: index, match: .wordPrefix)
            guard ranking.isFull else { return }
        }
    }

    /// Adds similar names. Corrections rank by similarity first, completions by the number of comics alone.
    mutating func add(similarTo form: SearchForm, in index: CharacterIndex) throws(CatalogError) {
        guard !isFull, let pattern = TypingPatterns(form) else { return }
        for positions in try index.positions(nearestTo: pattern) where !isFull && !positions.isEmpty {
            var ranking = ComicsRanking(maximumCount: longRanking)
            index.rank(positions, in: &ranking)
            add(namesAt: ranking.positions, of: index, match: .fuzzy)
        }
    }

    /// Several characters may share a name, but hardly thousands.
    private var longRanking: Int { 10 * limit }

    /// Adds names in an order. Call it with stricter matches first.
    private mutating func add(namesAt positions: [Int], of index: CharacterIndex, match: Match) {
        for position in positions where !isFull {
            let name = index.name(at: position)
            if !suggestions.contains(where: { $0.name == name }) {
                suggestions.append(NameSuggestion(name, match: match))
            }
        }
    }
}

/// The words of all names that begin with a text.
struct FoundWords {
    /// For each block that has such words, their places in the order of its words.
    private(set) var places: [(block: Int, places: Range<Int>)] = []
    private(set) var count = 0

    /// - Throws: `.cancelled`, soon after the task is cancelled.
    init(beginningWith form: SearchForm, in index: CharacterIndex) throws(CatalogError) {
        guard let pattern = TypingPatterns(form, maximumMistakes: 0) else { return }
        for (number, block) in index.blocks.enumerated() {
            guard !Task.isCancelled else { throw .cancelled }
            pattern.forEachRange(ofWordsIn: block.searchForms) { range in
                guard !range.isEmpty else { return }
                places.append((number, range))
                count += range.count
            }
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
        if index.blocks.count <= Self.immediateBlocks {
            let words = try FoundWords(beginningWith: form, in: index)
            if words.count <= Self.immediateWords {
                suggested.add(withWords: words, of: index)
                guard suggested.areFew else { return .ready(suggested.suggestions) }
            }
        }
        return try lookingAtEveryName { [index, suggested] () throws(CatalogError) in
            var suggested = suggested
            suggested.add(withWords: try FoundWords(beginningWith: form, in: index), of: index)
            if suggested.areFew { try suggested.add(similarTo: form, in: index) }
            return suggested.suggestions
        }
    }
}
