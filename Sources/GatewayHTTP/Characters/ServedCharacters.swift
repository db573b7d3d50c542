internal import Catalog
package import MarvelDomain
internal import Synchronization
internal import Upstream

/// Sorted by name. A search by name or by its beginning takes two binary searches. Every other order or filter takes a
/// pass over all characters.
package final class ServedCharacters: Sendable {
    private let characters: [MarvelCharacter]
    private let foldedNames: [FoldedName]
    private let positions: [Int64: Int]
    /// With two fields, there are at most a dozen orders.
    private let permutations = Mutex<[[DocumentQuery.Order]: [Int]]>([:])

    /// The order does not matter. If two have the same id, the first by name is found by the id.
    package init(_ characters: [MarvelCharacter]) {
        let limited = characters.map(\.withinLimits)
        let sorted = limited.map { (character: $0, folded: FoldedName($0.name)) }.sorted { left, right in
            if left.folded != right.folded { return left.folded < right.folded }
            if left.character.name.utf8.elementsEqual(right.character.name.utf8) {
                return left.character.id < right.character.id
            }
            return left.character.name.utf8.lexicographicallyPrecedes(right.character.name.utf8)
        }
        self.characters = sorted.map(\.character)
        self.foldedNames = sorted.map(\.folded)
        self.positions = Dictionary(zip(self.characters.map(\.id), 0...), uniquingKeysWith: { first, _ in first })
    }

    package var count: Int { characters.count }

    func character(id: Int64) -> MarvelCharacter? { positions[id].map { characters[$0] } }

    /// Only `ids` match, if given. Also returns the number of all matches.
    func page(_ query: CharacterQuery, among ids: Set<Int64>? = nil) -> ResultPage {
        let run = self.run(query)
        if query.isByName && query.modifiedSince == nil && ids == nil {
            return ResultPage(total: run.count, characters: Array(query.cut(characters[run])))
        }
        let candidates = query.isByName ? Array(run) : permutation(query.order).filter(run.contains)
        let matches = candidates.filter { position in
            query.includes(characters[position]) && ids?.contains(characters[position].id) ?? true
        }
        return ResultPage(total: matches.count, characters: query.cut(matches).map { characters[$0] })
    }
}

struct ResultPage: Sendable, Hashable {
    let total: Int
    let characters: [MarvelCharacter]
}

extension ServedCharacters {
    private func run(_ query: CharacterQuery) -> Range<Int> {
        var run = characters.indices
        if let name = query.name.map(FoldedName.init) {
            run = run.clamped(to: self.run(from: { $0 >= name }, to: { $0 > name }))
        }
        if let prefix = query.nameStartsWith.map(FoldedName.init) {
            run = run.clamped(to: self.run(from: { $0 >= prefix }, to: { $0 > prefix && !$0.hasPrefix(prefix) }))
        }
        return run
    }

    private func run(from isBehindStart: (FoldedName) -> Bool, to isBehindEnd: (FoldedName) -> Bool) -> Range<Int> {
        let start = partitionPoint(foldedNames.indices) { isBehindStart(foldedNames[$0]) }
        return start..<partitionPoint(start..<foldedNames.count) { isBehindEnd(foldedNames[$0]) }
    }

    private func permutation(_ order: [DocumentQuery.Order]) -> [Int] {
        permutations.withLock { permutations in
            if let known = permutations[order] { return known }
            let sorted = characters.indices.sorted { isOrdered($0, $1, order) }
            permutations[order] = sorted
            return sorted
        }
    }

    /// Positions are in the order of name and id, so they break every tie.
    private func isOrdered(_ left: Int, _ right: Int, _ order: [DocumentQuery.Order]) -> Bool {
        for key in order {
            let (first, second) = key.isDescending ? (right, left) : (left, right)
            switch key.field {
            case "name" where foldedNames[first] != foldedNames[second]:
                return foldedNames[first] < foldedNames[second]
            case "modified" where characters[first].modifiedOrEpoch != characters[second].modifiedOrEpoch:
                return characters[first].modifiedOrEpoch < characters[second].modifiedOrEpoch
            default: continue
            }
        }
        return left < right
    }
}

extension CharacterQuery {
    fileprivate func includes(_ character: MarvelCharacter) -> Bool {
        modifiedSince.map { character.modifiedOrEpoch >= $0 } ?? true
    }

    fileprivate func cut<Matches: Collection>(_ matches: Matches) -> Matches.SubSequence.SubSequence {
        matches.dropFirst(offset).prefix(limit)
    }
}

extension MarvelCharacter {
    /// More than half of the original's dates are the beginning of 1970.
    var modifiedOrEpoch: Timestamp { modified ?? Timestamp(seconds: 0) }
}
