internal import MarvelDomain

/// A search that looks at every name: WORD_PREFIX, SUBSTRING or FUZZY, prepared once for all blocks.
///
/// A query without a letter, a digit or a symbol, as `--`, finds nothing: there is nothing to compare.
enum NameSearch: Sendable {
    case wordPrefix(TypingPatterns)
    case substring(SubstringPattern)
    case fuzzy(TypingPatterns)
    case nothing

    /// - Parameters:
    ///   - text: What is searched for.
    ///   - match: Any but `prefix`, which has its own, shorter way.
    init(_ text: String, _ match: Match) {
        let form = SearchForm(text)
        let search: NameSearch? =
            switch match {
            case .prefix: preconditionFailure("a prefix search looks at few names")
            case .wordPrefix: TypingPatterns(form, maximumMistakes: 0).map(NameSearch.wordPrefix)
            case .substring: SubstringPattern(form).map(NameSearch.substring)
            case .fuzzy: TypingPatterns(form).map(NameSearch.fuzzy)
            }
        self = search ?? .nothing
    }

    /// Finds what matches: of FUZZY the best rank first, of the others the names that are just the query; and in name order
    /// within a rank.
    ///
    /// - Parameter index: Where to search.
    /// - Returns: The positions.
    /// - Throws: `.cancelled`, soon after the task was.
    func positions(in index: CharacterIndex) throws(CatalogError) -> [UInt32] {
        switch self {
        case .wordPrefix(let pattern):
            return try index.positions { names, found in
                pattern.forEachName(in: names) { slot, rank in found(slot, rank.isWholeName) }
            }
        case .substring(let pattern):
            return try index.positions { names, found in pattern.forEachName(in: names, found) }
        case .fuzzy(let pattern):
            return try index.positions(nearestTo: pattern)
        case .nothing:
            return []
        }
    }
}

extension CharacterIndex {
    /// The positions that `search` finds in each block, those of whole names first.
    fileprivate func positions(
        _ search: (_ names: SearchForms.Memory, _ found: (_ slot: Int, _ isWholeName: Bool) -> Void) -> Void
    ) throws(CatalogError) -> [UInt32] {
        var (wholeNames, others): ([UInt32], [UInt32]) = ([], [])
        try forEachBlock { names, start in
            search(names) { slot, isWholeName in
                let position = UInt32(start + slot)
                if isWholeName { wholeNames.append(position) } else { others.append(position) }
            }
        }
        return wholeNames.isEmpty ? others : wholeNames + others
    }

    /// The positions of the names that are near enough, the nearest first.
    fileprivate func positions(nearestTo pattern: TypingPatterns) throws(CatalogError) -> [UInt32] {
        var positions = Array(repeating: [UInt32](), count: TypingRank.count)
        try forEachBlock { names, start in
            pattern.forEachName(in: names) { slot, rank in positions[rank.number].append(UInt32(start + slot)) }
        }
        return Array(positions.joined())
    }

    private func forEachBlock(
        _ body: (_ names: SearchForms.Memory, _ start: Int) -> Void
    ) throws(CatalogError) {
        for (block, start) in zip(blocks, starts) {
            // A block takes some microseconds.
            guard !Task.isCancelled else { throw .cancelled }
            block.searchForms.withMemory { body($0, start) }
        }
    }
}
