internal import MarvelDomain

/// A query without a letter, a digit or a symbol, such as `--`, finds nothing.
enum NameSearch: Sendable {
    case wordPrefix(TypingPatterns)
    case substring([UInt8])
    case fuzzy(TypingPatterns)
    case nothing

    /// `match` is not `prefix`, which uses a binary search instead.
    init(_ text: String, _ match: Match) {
        let form = SearchForm(text)
        let search: NameSearch? =
            switch match {
            case .prefix: preconditionFailure("a prefix search looks at few names")
            case .wordPrefix: TypingPatterns(form, maximumMistakes: 0).map(NameSearch.wordPrefix)
            case .substring: form.letters.isEmpty ? nil : .substring(form.letters)
            case .fuzzy: TypingPatterns(form).map(NameSearch.fuzzy)
            }
        self = search ?? .nothing
    }

    /// For FUZZY the best rank comes first, for the others the names that equal the query; then in name order. Throws
    /// `.cancelled`, soon after the task is cancelled.
    func positions(in index: CharacterIndex) throws(CatalogError) -> [UInt32] {
        switch self {
        case .wordPrefix(let pattern):
            return try index.positions(in: pattern.blocks(of: index)) { names, found in
                pattern.forEachName(in: names) { slot, rank in found(slot, rank.isWholeName) }
            }
        case .substring(let letters):
            return try index.positions(in: index.blocks.indices) { names, found in
                names.forEachName(containing: letters, found)
            }
        case .fuzzy(let pattern):
            return Array(try index.positions(nearestTo: pattern).joined())
        case .nothing:
            return []
        }
    }
}

extension CharacterIndex {
    fileprivate func positions(
        in blocks: some Sequence<Int>,
        _ search: (_ names: SearchForms, _ found: (_ slot: Int, _ isWholeName: Bool) -> Void) -> Void
    ) throws(CatalogError) -> [UInt32] {
        var (wholeNames, others): ([UInt32], [UInt32]) = ([], [])
        try forEachBlock(blocks) { names, start in
            search(names) { slot, isWholeName in
                let position = UInt32(start + slot)
                if isWholeName { wholeNames.append(position) } else { others.append(position) }
            }
        }
        return wholeNames.isEmpty ? others : wholeNames + others
    }

    /// By rank, then in name order.
    func positions(nearestTo pattern: TypingPatterns) throws(CatalogError) -> [[UInt32]] {
        var positions = Array(repeating: [UInt32](), count: TypingRank.count)
        try forEachBlock(blocks.indices) { names, start in
            pattern.forEachName(in: names) { slot, rank in positions[rank.number].append(UInt32(start + slot)) }
        }
        return positions
    }

    private func forEachBlock(
        _ numbers: some Sequence<Int>,
        _ body: (_ names: SearchForms, _ start: Int) -> Void
    ) throws(CatalogError) {
        for number in numbers {
            // A block takes less than a millisecond, so one check for each block is enough.
            guard !Task.isCancelled else { throw .cancelled }
            body(blocks[number].searchForms, starts[number])
        }
    }
}
