package import MarvelDomain

extension InMemoryCatalog {
    package func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<[NameSuggestion]> {
        let beginning = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        var suggested = SuggestedNames(limit: limit)
        // Several characters may have one name, but hardly thousands.
        suggested.add(namesAt: beginning.prefix(10 * limit), of: index, match: .prefix)
        // Most texts have enough names that begin with them, and those are found without searching all names.
        guard !suggested.isFull else { return .ready(suggested.suggestions) }
        return try lookingAtEveryName { [index, suggested] () throws(CatalogError) in
            var suggested = suggested
            let form = SearchForm(query.text)
            // The pass without mistakes finds names with a word that begins with the query, the best matches first.
            for (match, maximumMistakes) in SuggestedNames.comparisons where match != .fuzzy || suggested.areFew {
                let pattern = TypingPatterns(form, maximumMistakes: maximumMistakes)
                let found = try pattern.map(NameSearch.fuzzy)?.positions(in: index) ?? []
                suggested.add(namesAt: found.lazy.map(Int.init), of: index, match: match)
            }
            return suggested.suggestions
        }
    }
}

extension SuggestedNames {
    fileprivate mutating func add(namesAt positions: some Sequence<Int>, of index: CharacterIndex, match: Match) {
        for position in positions where !isFull { add(index.name(at: position), match: match) }
    }
}
