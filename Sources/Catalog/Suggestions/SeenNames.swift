package import MarvelDomain
internal import Synchronization

/// The names that a gateway has sent recently. They are the only source of suggestions that needs no call.
package final class SeenNames: Sendable {
    /// The number of names after which the oldest page of names is evicted. At most one page more is kept.
    package static let capacity = 10_000
    /// The maximum length of a name. Longer names are not worth their memory.
    package static let maximumNameBytes = 256

    private static let pageCapacity = 256

    /// A block of names in the order in which they were received.
    private struct Page: Sendable {
        var names: [String] = []
        var comicCounts: [Int32] = []
        var foldedNames = PackedTexts()
        var searchForms = SearchForms(PackedTexts())

        var isFull: Bool { names.count >= SeenNames.pageCapacity }

        /// Moves names from `rest` to the page until it is full.
        mutating func append(from rest: inout ArraySlice<MarvelCharacter>) {
            let taken = rest.prefix(SeenNames.pageCapacity - names.count)
            rest = rest.dropFirst(taken.count)
            for character in taken {
                names.append(character.name)
                comicCounts.append(character.comicCount)
                foldedNames.append(FoldedName(character.name).utf8)
            }
            searchForms = SearchForms(foldedNames)
        }
    }

    private struct State {
        var pages: [Page] = []
        var known: Set<String> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds the names of characters, and evicts the oldest if there are too many.
    package func insert(_ characters: [MarvelCharacter]) {
        state.withLock { state in
            let short = characters.filter { $0.name.utf8.count <= SeenNames.maximumNameBytes }
            var new = short.filter { state.known.insert($0.name).inserted }[...]
            while !new.isEmpty {
                if state.pages.last?.isFull ?? true { state.pages.append(Page()) }
                state.pages[state.pages.count - 1].append(from: &new)
            }
            while let oldest = state.pages.first, state.known.count - oldest.names.count >= SeenNames.capacity {
                state.known.subtract(oldest.names)
                state.pages.removeFirst()
            }
        }
    }

    package var count: Int { state.withLock { $0.known.count } }

    /// Returns the suggestions of `CharacterCatalog.suggestions` among these names.
    package func suggestions(for query: SearchQuery, limit: Int) -> [NameSuggestion] {
        let pages = state.withLock { $0.pages }
        var suggested = SuggestedNames(limit: limit)
        for name in SeenNames.names(beginningWith: FoldedName(query.text), in: pages) {
            suggested.add(name, match: .prefix)
        }
        let form = SearchForm(query.text)
        for (match, maximumMistakes) in SuggestedNames.comparisons where match != .fuzzy || suggested.areFew {
            guard !suggested.isFull, let pattern = TypingPatterns(form, maximumMistakes: maximumMistakes) else { break }
            let names = SeenNames.names(near: pattern, in: pages, ranked: match == .fuzzy)
            for name in names { suggested.add(name, match: match) }
        }
        return suggested.suggestions
    }

    private static func names(beginningWith prefix: FoldedName, in pages: [Page]) -> [String] {
        prefix.utf8.withUnsafeBufferPointer { prefix in
            inOrder(
                pages.flatMap { page in
                    page.names.indices.filter { page.foldedNames.order($0, toPrefix: prefix) == 0 }
                        .map { Found(page, $0, rank: .none) }
                }
            )
        }
    }

    /// Returns the names that match a pattern. If `isRanked`, the most similar come first; else the rank does not count.
    private static func names(near pattern: TypingPatterns, in pages: [Page], ranked isRanked: Bool) -> [String] {
        inOrder(
            pages.flatMap { page in
                var found: [Found] = []
                pattern.forEachName(in: page.searchForms) { slot, rank in
                    found.append(Found(page, slot, rank: isRanked ? rank : .none))
                }
                return found
            }
        )
    }

    private struct Found {
        var rank: TypingRank
        var comics: Int32
        var foldedName: ArraySlice<UInt8>
        var name: String

        init(_ page: Page, _ slot: Int, rank: TypingRank) {
            self.rank = rank
            comics = page.comicCounts[slot]
            foldedName = page.foldedNames[slot]
            name = page.names[slot]
        }
    }

    private static func inOrder(_ found: [Found]) -> [String] {
        found.sorted { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            if left.comics != right.comics { return left.comics > right.comics }
            if left.foldedName != right.foldedName {
                return left.foldedName.lexicographicallyPrecedes(right.foldedName)
            }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        .map(\.name)
    }
}
