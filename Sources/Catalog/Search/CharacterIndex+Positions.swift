internal import MarvelDomain

extension CharacterIndex {
    /// In the order of the positions. Adjacent characters are one run.
    func runs(_ positions: ArraySlice<UInt32>) -> CharacterRuns {
        var ranges: [Range<Int>] = []
        for position in positions.lazy.map(Int.init) {
            if let last = ranges.last, last.upperBound == position {
                ranges[ranges.count - 1] = last.lowerBound..<position + 1
            } else {
                ranges.append(position..<position + 1)
            }
        }
        var found = CharacterRuns.empty
        for range in ranges { found.append(runs(range)) }
        return found
    }

    /// `count` is above 0.
    func mostComics(in range: Range<Int>, count: Int) -> ComicsRanking {
        if range.count <= count { return ComicsRanking(range.map(rankingKey)) }
        var ranking = ComicsRanking(maximumCount: count)
        var block = range.isEmpty ? blocks.count : self.block(holding: range.lowerBound)
        while block < blocks.count, starts[block] < range.upperBound {
            let slots = range.clamped(to: starts[block]..<starts[block + 1]).shifted(by: -starts[block])
            blocks[block].rank(slots, in: &ranking, start: starts[block])
            block += 1
        }
        return ranking
    }

    func rank(_ positions: some Sequence<Int>, in ranking: inout ComicsRanking) {
        var (block, range) = (0, 0..<0)
        for position in positions {
            if !range.contains(position) {
                block = self.block(holding: position)
                range = starts[block]..<starts[block + 1]
            }
            ranking.offer(blocks[block].rankingKey(position - range.lowerBound, start: range.lowerBound))
        }
    }

    private func rankingKey(_ position: Int) -> ComicsRanking.Key {
        let block = self.block(holding: position)
        return blocks[block].rankingKey(position - starts[block], start: starts[block])
    }

    func nameHash(at position: Int) -> UInt16 {
        let (block, slot) = place(at: position)
        return blocks[block].characters.nameHash(slot)
    }
}

struct ComicsRanking {
    /// A larger key has more comics, or the same number and an earlier name.
    struct Key: BitwiseCopyable, Equatable, Comparable {
        /// The number of comics in the high bits, the inverted position in the low ones.
        private let bits: UInt64

        @inline(__always)
        init(comics: Int32, position: Int) {
            bits = UInt64(UInt32(bitPattern: comics) ^ 1 << 31) << 32 | UInt64(~UInt32(truncatingIfNeeded: position))
        }

        private init(bits: UInt64) { self.bits = bits }

        @inline(__always)
        var position: Int { Int(~UInt32(truncatingIfNeeded: bits)) }

        /// The rank after an edit of the catalog changed the position.
        func moved(by distance: Int) -> Key { Key(bits: bits &- UInt64(bitPattern: Int64(distance))) }

        @inline(__always)
        static func < (left: Key, right: Key) -> Bool { left.bits < right.bits }
    }

    let maximumCount: Int
    /// The best first.
    private var keys: [Key] = []

    /// `maximumCount` is above 0.
    init(maximumCount: Int) {
        self.maximumCount = maximumCount
        keys.reserveCapacity(min(maximumCount, 64))
    }

    init(_ keys: [Key]) {
        maximumCount = keys.count
        self.keys = keys.sorted(by: >)
    }

    var count: Int { keys.count }

    var isFull: Bool { keys.count == maximumCount }

    /// The most comics first; of equal numbers in name order.
    var positions: LazyMapSequence<[Key], Int> { keys.lazy.map(\.position) }

    @inline(__always)
    func position(_ number: Int) -> Int { keys[number].position }

    /// Returns whether characters with fewer comics may still be among the best.
    @discardableResult
    @inline(__always)
    mutating func offer(_ key: Key) -> Bool {
        if isFull, key <= keys[maximumCount - 1] { return false }
        insert(key)
        return true
    }

    private mutating func insert(_ key: Key) {
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
