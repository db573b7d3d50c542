internal import MarvelDomain

extension CharacterIndex {
    /// Returns the encoded characters at these positions, in their order. Adjacent characters are one run.
    func runs(_ positions: ArraySlice<UInt32>) -> (first: EncodedCharacters.Run, rest: [EncodedCharacters.Run]) {
        var ranges: [Range<Int>] = []
        for position in positions.lazy.map(Int.init) {
            if let last = ranges.last, last.upperBound == position {
                ranges[ranges.count - 1] = last.lowerBound..<position + 1
            } else {
                ranges.append(position..<position + 1)
            }
        }
        var all: [EncodedCharacters.Run] = []
        for range in ranges {
            let runs = runs(range)
            all.append(runs.first)
            all += runs.rest
        }
        guard let first = all.first else { return (.empty, []) }
        return (first, Array(all.dropFirst()))
    }

    /// The positions of the names with the most comics first; of equal numbers in name order. `count` is above 0. Each
    /// name is taken once, and none whose hash is among `known`.
    func mostComics(in range: Range<Int>, count: Int, without known: [Int] = []) -> [Int] {
        var ranking = ComicsRanking(maximumCount: count, without: known)
        var block = range.isEmpty ? blocks.count : self.block(holding: range.lowerBound)
        while block < blocks.count, starts[block] < range.upperBound {
            let slots = range.clamped(to: starts[block]..<starts[block + 1]).shifted(by: -starts[block])
            blocks[block].rank(slots, in: &ranking, start: starts[block])
            block += 1
        }
        return ranking.positions
    }

    /// The same of positions that are not adjacent.
    func mostComics(at positions: some Sequence<UInt32>, count: Int, without known: [Int] = []) -> [Int] {
        var ranking = ComicsRanking(maximumCount: count, without: known)
        for position in positions.lazy.map(Int.init) {
            let (block, slot) = place(at: position)
            ranking.offer(position, comics: block.comicCounts[slot], nameHash: block.nameHashes[slot])
        }
        return ranking.positions
    }

    /// The same of the names in which a word begins with one of the texts.
    func mostComics(withWords texts: [[UInt8]], count: Int, without known: [Int] = []) -> [Int] {
        var ranking = ComicsRanking(maximumCount: count, without: known)
        for text in texts {
            words.forEach(beginningWith: text) { position, comics in
                ranking.offer(position, comics: comics, nameHash: hash(ofNameAt: position, withWord: text))
            }
        }
        return ranking.positions
    }

    /// Nil if no word of the name begins with the text. The index of words decides that only by the first letters.
    private func hash(ofNameAt position: Int, withWord text: [UInt8]) -> Int? {
        let (block, slot) = place(at: position)
        guard text.count <= PackedTexts.headByteCount || block.searchForms.hasWord(slot, beginningWith: text) else {
            return nil
        }
        return block.nameHashes[slot]
    }

    func nameHash(at position: Int) -> Int {
        let (block, slot) = place(at: position)
        return block.nameHashes[slot]
    }

    func name(at position: Int) -> String {
        let (block, slot) = place(at: position)
        return block.characters.name(slot)
    }

    private func place(at position: Int) -> (block: CharacterBlock, slot: Int) {
        let block = self.block(holding: position)
        return (blocks[block], position - starts[block])
    }
}

/// The names with the most comics so far, each once.
struct ComicsRanking {
    private struct Ranked {
        let comics: Int32
        let position: Int
        let nameHash: Int

        /// The most comics first; equal numbers in name order.
        func precedes(_ comics: Int32, _ position: Int) -> Bool {
            self.comics != comics ? self.comics > comics : self.position < position
        }
    }

    let maximumCount: Int
    /// The hashes of the names that are not wanted.
    private let known: [Int]
    private var best: [Ranked] = []

    /// `maximumCount` is above 0.
    init(maximumCount: Int, without known: [Int]) {
        self.maximumCount = maximumCount
        self.known = known
        best.reserveCapacity(maximumCount)
    }

    var positions: [Int] { best.map(\.position) }

    /// Adds a character if it is one of the best, and its name is not known. `nameHash` may be nil to refuse it.
    ///
    /// - Returns: Whether a character with fewer comics could still be one of the best.
    @discardableResult
    mutating func offer(_ position: Int, comics: Int32, nameHash: @autoclosure () -> Int?) -> Bool {
        if best.count == maximumCount, best[maximumCount - 1].precedes(comics, position) { return false }
        guard let nameHash = nameHash(), !known.contains(nameHash) else { return true }
        if let same = best.firstIndex(where: { $0.nameHash == nameHash }) {
            if best[same].precedes(comics, position) { return true }
            best.remove(at: same)
        } else if best.count == maximumCount {
            best.removeLast()
        }
        let place = partitionPoint(0..<best.count) { !best[$0].precedes(comics, position) }
        best.insert(Ranked(comics: comics, position: position, nameHash: nameHash), at: place)
        return true
    }
}
