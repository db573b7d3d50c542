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

    /// The most comics first; of equal numbers in name order. `count` is the maximum, above 0.
    func mostComics(at positions: some Sequence<Int>, count: Int) -> [Int] {
        var best: [(comics: Int32, position: Int)] = []
        var (block, range) = (0, 0..<0)
        for position in positions {
            if !range.contains(position) {
                block = self.block(holding: position)
                range = starts[block]..<starts[block + 1]
            }
            let comics = blocks[block].comicCounts[position - range.lowerBound]
            let place = partitionPoint(0..<best.count) { number in
                let other = best[number]
                return comics != other.comics ? comics > other.comics : position < other.position
            }
            guard place < count else { continue }
            if best.count == count { best.removeLast() }
            best.insert((comics, position), at: place)
        }
        return best.map(\.position)
    }

    func name(at position: Int) -> String {
        let block = self.block(holding: position)
        return blocks[block].character(position - starts[block])?.name ?? ""
    }
}
