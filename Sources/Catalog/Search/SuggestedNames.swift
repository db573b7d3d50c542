package import MarvelDomain
internal import Synchronization

/// A list of suggestions, filled with the best ones first.
struct SuggestedNames {
    /// The number of names from which on names with typing mistakes are not searched.
    private static let few = 3

    /// The comparisons with every name, in their order: exact ones, then those that tolerate typing mistakes.
    private static let comparisons = [
        (match: Match.wordPrefix, maximumMistakes: 0), (.fuzzy, TypingPattern.maximumMistakes),
    ]

    private(set) var suggestions: [NameSuggestion] = []
    private let limit: Int
    private var known: Set<String> = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { suggestions.count >= limit }

    private var areFew: Bool { suggestions.count < min(limit, SuggestedNames.few) }

    /// Adds the names that begin with the text.
    mutating func add(beginningWith query: SearchQuery, in index: CharacterIndex) {
        let beginning = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        add(namesAt: beginning, of: index, match: .prefix)
    }

    /// Adds the names in which a word begins with the text and, if there are few, the names that are similar to it.
    mutating func add(near query: SearchQuery, in index: CharacterIndex) throws(CatalogError) {
        let form = SearchForm(query.text)
        for (match, maximumMistakes) in SuggestedNames.comparisons where match != .fuzzy || areFew {
            guard !isFull, let pattern = TypingPatterns(form, maximumMistakes: maximumMistakes) else { return }
            let ranks = try index.positions(nearestTo: pattern)
            // Corrections are ranked by similarity first, completions by the number of comics alone.
            for positions in match == .fuzzy ? ranks : [Array(ranks.joined())] {
                add(namesAt: positions.lazy.map(Int.init), of: index, match: match)
            }
        }
    }

    /// Adds the names of the characters with the most comics. Names of the stricter match are added first.
    private mutating func add(namesAt positions: some Sequence<Int>, of index: CharacterIndex, match: Match) {
        guard !isFull else { return }
        // Several characters may have one name, but hardly thousands.
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
        // Most texts have enough names that begin with them, and those are found without searching all names.
        guard !suggested.isFull else { return .ready(suggested.suggestions) }
        return try lookingAtEveryName { [index, suggested] () throws(CatalogError) in
            var suggested = suggested
            try suggested.add(near: query, in: index)
            return suggested.suggestions
        }
    }
}

/// The last distinct names in the answers of a gateway, from which suggestions are made without calling it.
package final class SeenNames: Sendable {
    /// The maximum length of a name. Longer ones are not remembered.
    package static let maximumNameBytes = 256

    private struct State {
        /// The names as characters. The number of a name, from 1 in the order of arrival, is the id of its character.
        var index = CharacterIndex(blocks: [])
        /// The names in the order of arrival.
        var names: [String] = []
        var known: Set<String> = []
        var lastNumber: Int64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    package init(capacity: Int = 10_000) { self.capacity = capacity }

    /// Remembers the names of characters. The oldest names are forgotten.
    package func insert(_ characters: [MarvelCharacter]) {
        state.withLock { state in
            let new = characters.filter {
                $0.name.utf8.count <= SeenNames.maximumNameBytes && state.known.insert($0.name).inserted
            }
            guard !new.isEmpty else { return }
            let excess = max(0, state.names.count + new.count - capacity)
            let firstNumber = state.lastNumber - Int64(state.names.count) + 1
            state.names += new.map(\.name)
            state.known.subtract(state.names.prefix(excess))
            state.names.removeFirst(excess)
            let numbered = new.enumerated().map { place, character in
                MarvelCharacter(
                    id: state.lastNumber + Int64(place) + 1,
                    name: character.name,
                    comicCount: character.comicCount
                )
            }
            state.lastNumber += Int64(new.count)
            let removed = Set(firstNumber..<firstNumber + Int64(excess))
            state.index = state.index.editing(putting: numbered, removing: removed)
        }
    }

    package var count: Int { state.withLock { $0.names.count } }

    /// Suggests names like `InMemoryCatalog`.
    package func suggestions(for query: SearchQuery, limit: Int) -> [NameSuggestion] {
        let index = state.withLock(\.index)
        var suggested = SuggestedNames(limit: limit)
        suggested.add(beginningWith: query, in: index)
        // A search that was cancelled has no reader.
        try? suggested.add(near: query, in: index)
        return suggested.suggestions
    }
}
