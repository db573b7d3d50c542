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

    /// The positions with the most comics first; of equal numbers in name order. `count` is the maximum, above 0.
    func mostComics(in range: Range<Int>, count: Int) -> [Int] {
        var ranking = ComicsRanking(maximumCount: count)
        var block = range.isEmpty ? blocks.count : self.block(holding: range.lowerBound)
        while block < blocks.count, starts[block] < range.upperBound {
            let slots = range.clamped(to: starts[block]..<starts[block + 1]).shifted(by: -starts[block])
            blocks[block].rank(slots, in: &ranking, start: starts[block])
            block += 1
        }
        return ranking.positions
    }

    /// All positions of the range, in the same order.
    func byComics(in range: Range<Int>) -> [Int] {
        var all: [(comics: Int32, position: Int)] = []
        all.reserveCapacity(range.count)
        var block = range.isEmpty ? blocks.count : self.block(holding: range.lowerBound)
        while block < blocks.count, starts[block] < range.upperBound {
            for position in range.clamped(to: starts[block]..<starts[block + 1]) {
                all.append((blocks[block].comicCounts[position - starts[block]], position))
            }
            block += 1
        }
        all.sort { $0.comics != $1.comics ? $0.comics > $1.comics : $0.position < $1.position }
        return all.map(\.position)
    }

    /// Offers characters to a ranking.
    func rank(_ positions: [UInt32], in ranking: inout ComicsRanking) {
        var (block, range) = (0, 0..<0)
        for position in positions.lazy.map(Int.init) {
            if !range.contains(position) {
                block = self.block(holding: position)
                range = starts[block]..<starts[block + 1]
            }
            ranking.offer(position, comics: blocks[block].comicCounts[position - range.lowerBound])
        }
    }

    func name(at position: Int) -> String {
        let block = self.block(holding: position)
        return blocks[block].characters.name(position - starts[block])
    }
}

/// The characters with the most comics so far.
struct ComicsRanking {
    let maximumCount: Int
    /// The most comics first; of equal numbers in name order.
    private var best: [(comics: Int32, position: Int)] = []

    /// `maximumCount` is above 0.
    init(maximumCount: Int) { self.maximumCount = maximumCount }

    var positions: [Int] { best.map(\.position) }

    var isFull: Bool { best.count == maximumCount }

    /// Adds a character, once, if it is one of the best.
    ///
    /// - Returns: Whether it is.
    @discardableResult
    mutating func offer(_ position: Int, comics: Int32) -> Bool {
        if isFull, let last = best.last {
            guard comics > last.comics || (comics == last.comics && position <= last.position) else { return false }
        }
        let place = partitionPoint(0..<best.count) { number in
            let other = best[number]
            return comics != other.comics ? comics > other.comics : position <= other.position
        }
        if place < best.count, best[place].position == position { return true }
        if isFull { best.removeLast() }
        best.insert((comics, position), at: place)
        return true
    }
}
