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

    /// Ranks the characters in a range. `count` is the maximum, above 0.
    func mostComics(in range: Range<Int>, count: Int) -> ComicsRanking {
        if range.count <= count { return ComicsRanking(range.map { ($0, comicCount(at: $0)) }) }
        var ranking = ComicsRanking(maximumCount: count)
        var block = range.isEmpty ? blocks.count : self.block(holding: range.lowerBound)
        while block < blocks.count, starts[block] < range.upperBound {
            let slots = range.clamped(to: starts[block]..<starts[block + 1]).shifted(by: -starts[block])
            blocks[block].rank(slots, in: &ranking, start: starts[block])
            block += 1
        }
        return ranking
    }

    /// Offers characters to a ranking.
    func rank(_ positions: some Sequence<Int>, in ranking: inout ComicsRanking) {
        var (block, range) = (0, 0..<0)
        for position in positions {
            if !range.contains(position) {
                block = self.block(holding: position)
                range = starts[block]..<starts[block + 1]
            }
            ranking.offer(position, comics: blocks[block].comicCounts[position - range.lowerBound])
        }
    }

    private func comicCount(at position: Int) -> Int32 {
        let block = self.block(holding: position)
        return blocks[block].comicCounts[position - starts[block]]
    }

    func name(at position: Int) -> String {
        let block = self.block(holding: position)
        return blocks[block].characters.name(position - starts[block])
    }
}

/// The characters with the most comics so far.
struct ComicsRanking {
    let maximumCount: Int
    /// The best first. A key has the number of comics in its high bits, and the inverted position in its low ones: a
    /// character with more comics, or with the same number and an earlier name, has a larger key.
    private var keys: [UInt64] = []

    /// `maximumCount` is above 0.
    init(maximumCount: Int) {
        self.maximumCount = maximumCount
        keys.reserveCapacity(min(maximumCount, 64))
    }

    /// Ranks all of some characters.
    init(_ characters: [(position: Int, comics: Int32)]) {
        maximumCount = characters.count
        keys = characters.map { Self.key($0.position, $0.comics) }.sorted(by: >)
    }

    private static func key(_ position: Int, _ comics: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: comics) ^ 1 << 31) << 32 | UInt64(~UInt32(truncatingIfNeeded: position))
    }

    var count: Int { keys.count }

    var isFull: Bool { keys.count == maximumCount }

    /// The most comics first; of equal numbers in name order.
    var positions: LazyMapSequence<[UInt64], Int> { keys.lazy.map { Int(~UInt32(truncatingIfNeeded: $0)) } }

    /// Adds a character, once, if it is one of the best.
    ///
    /// - Returns: Whether characters with fewer comics may still be among the best.
    @discardableResult
    @inline(__always)
    mutating func offer(_ position: Int, comics: Int32) -> Bool {
        let key = Self.key(position, comics)
        if isFull, key <= keys[maximumCount - 1] { return false }
        insert(key)
        return true
    }

    private mutating func insert(_ key: UInt64) {
        var place = keys.count
        while place > 0, keys[place - 1] < key { place -= 1 }
        if place > 0, keys[place - 1] == key { return }
        if isFull { keys.removeLast() }
        keys.append(key)
        keys.withUnsafeMutableBufferPointer { keys in
            for hole in stride(from: keys.count - 1, to: place, by: -1) { keys[hole] = keys[hole - 1] }
            keys[place] = key
        }
    }
}
