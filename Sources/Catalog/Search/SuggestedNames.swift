package import MarvelDomain
package import RPCCore
internal import WireMessages

package struct SuggestedNames: Sendable {
    package static let none = SuggestedNames(limit: 0, blocks: [])

    private struct Place {
        let block: UInt32
        let start: UInt32
        let count: UInt32
        let isASCII: Bool

        var range: Range<Int> { Int(start)..<Int(start + count) }
    }

    /// With this many names, typing mistakes are not searched.
    private static let few = 3

    private let limit: Int
    private let blocks: [CharacterBlock]
    private var names: [Place] = []
    private var (prefixEnd, wordEnd) = (0, 0)
    private var beginning = 0..<0

    private init(limit: Int, blocks: [CharacterBlock]) {
        (self.limit, self.blocks) = (limit, blocks)
        names.reserveCapacity(limit)
    }

    package var count: Int { names.count }

    fileprivate init(limit: Int, beginningWith query: SearchQuery, in index: CharacterIndex) {
        self.init(limit: limit, blocks: index.blocks)
        beginning = FoldedName.with(query.text) { index.range(withFoldedPrefix: $0) }
        for maximum in [limit, longRanking, beginning.count] {
            let ranking = index.mostComics(in: beginning, count: maximum)
            add(ranking, of: index)
            guard !isFull, ranking.count < beginning.count else { break }
        }
        (prefixEnd, wordEnd) = (names.count, names.count)
    }

    fileprivate var isFull: Bool { names.count >= limit }

    fileprivate var areFew: Bool { names.count < min(limit, SuggestedNames.few) }

    fileprivate mutating func add(withWords found: FoundWords, of index: CharacterIndex) {
        for maximum in [limit, longRanking] where !isFull {
            var ranking = ComicsRanking(maximumCount: maximum)
            for (letters, places) in found.places where !Task.isCancelled {
                index.forEachName(withWordsAt: places, beginningWith: letters) { key in
                    if !beginning.contains(key.position) { ranking.offer(key) }
                }
            }
            add(ranking, of: index)
            guard ranking.isFull else { break }
        }
        wordEnd = names.count
    }

    /// Corrections rank by similarity first, completions by the number of comics alone.
    fileprivate mutating func add(similarTo form: SearchForm, in index: CharacterIndex) throws(CatalogError) {
        guard !isFull, let pattern = TypingPatterns(form) else { return }
        for positions in try index.positions(nearestTo: pattern) where !isFull && !positions.isEmpty {
            var ranking = ComicsRanking(maximumCount: longRanking)
            index.rank(positions.lazy.map(Int.init), in: &ranking)
            add(ranking, of: index)
        }
    }

    /// Several characters may share a name, but hardly thousands.
    private var longRanking: Int { 10 * limit }

    private mutating func add(_ ranking: ComicsRanking, of index: CharacterIndex) {
        var number = 0
        while number < ranking.count, !isFull {
            let numbers = number..<min(number + limit - names.count, ranking.count)
            // The names lie far apart. The processor waits for all of them at once, first for their places.
            withUnsafeTemporaryAllocation(of: CharacterIndex.Place.self, capacity: numbers.count) { places in
                for (place, number) in numbers.enumerated() {
                    places.initializeElement(at: place, to: index.place(at: ranking.position(number)))
                }
                for place in places { blocks[place.block].characters.prefetchEntry(place.slot) }
                for place in places { blocks[place.block].characters.prefetch(place.slot) }
                for place in places { add(place.slot, ofBlock: place.block) }
            }
            number = numbers.upperBound
        }
    }

    private mutating func add(_ slot: Int, ofBlock block: Int) {
        let place = blocks[block].characters.withNames { bytes, nameRange in
            let name = nameRange(slot)
            var allBits: UInt8 = 0
            for byte in bytes[name] { allBits |= byte }
            return Place(
                block: UInt32(block),
                start: UInt32(name.lowerBound),
                count: UInt32(name.count),
                isASCII: allBits < 0x80
            )
        }
        if !names.contains(where: { hasSameName($0, place) }) { names.append(place) }
    }

    private func hasSameName(_ left: Place, _ right: Place) -> Bool {
        guard left.isASCII == right.isASCII, !left.isASCII || left.count == right.count else { return false }
        return withUTF8(left) { left in
            withUTF8(right) { right in
                if left.count == right.count, left.elementsEqual(right) { return true }
                // The same letters may have other code points. Those are not ASCII.
                guard left.contains(where: { $0 >= 0x80 }) else { return false }
                return String(decoding: left, as: UTF8.self) == String(decoding: right, as: UTF8.self)
            }
        }
    }

    private func withUTF8<Result>(_ place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        blocks[Int(place.block)].characters.withBytes(in: place.range, body)
    }

    package var counts: (prefix: Int, wordPrefix: Int, fuzzy: Int) {
        (prefixEnd, wordEnd - prefixEnd, names.count - wordEnd)
    }

    package var byteCount: Int {
        names.reduce(0) { $0 + SuggestNamesResponse.nameByteCount(utf8Count: Int($1.count)) }
    }

    package func write(to writer: inout MessageWriter) {
        for name in names { withUTF8(name) { SuggestNamesResponse.writeName($0, to: &writer) } }
    }
}

private struct FoundWords {
    private(set) var places: [(letters: [UInt8], places: Range<Int>)] = []
    private(set) var count = 0

    init(beginningWith form: SearchForm, in index: CharacterIndex) {
        for spelling in QuerySpelling.all(of: form).map(\.form.letters) where !spelling.isEmpty {
            let range = index.places(ofWordsBeginningWith: spelling)
            places.append((spelling, range))
            count += range.count
        }
    }
}

extension InMemoryCatalog {
    /// The maximum that is ranked on the caller's event loop.
    private static let immediateWords = 4_096

    package func suggestions(for query: SearchQuery, limit: Int) throws(CatalogError) -> Lookup<SuggestedNames> {
        var suggested = SuggestedNames(limit: limit, beginningWith: query, in: index)
        // Most texts have enough names that begin with them.
        guard !suggested.isFull else { return .ready(suggested) }
        let form = SearchForm(query.text)
        let words = FoundWords(beginningWith: form, in: index)
        if words.count <= Self.immediateWords {
            suggested.add(withWords: words, of: index)
            guard suggested.areFew else { return .ready(suggested) }
        }
        return try lookingAtEveryName { [index, suggested, words] () throws(CatalogError) in
            var suggested = suggested
            if words.count > Self.immediateWords { suggested.add(withWords: words, of: index) }
            if suggested.areFew { try suggested.add(similarTo: form, in: index) }
            return suggested
        }
    }
}
