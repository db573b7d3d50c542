package import MarvelDomain
internal import WireMessages

/// Invented characters for load tests. Each depends only on its index, so a small catalog is the beginning of a large
/// one.
package struct SyntheticCharacters: RandomAccessCollection, Sendable {
    package static let counts = 1...1_000_000
    /// Above every id of the Marvel API.
    package static let firstID: Int64 = 2_000_000
    package static let attribution = "Synthetic characters made up by marvel-rpc; none is Marvel's."

    package let startIndex = 0
    package let endIndex: Int

    /// Clamps `count` to `counts`.
    package init(count: Int) {
        endIndex = Swift.min(Swift.max(count, Self.counts.lowerBound), Self.counts.upperBound)
    }

    package subscript(index: Int) -> MarvelCharacter {
        let id = Self.firstID + Int64(index)
        var choices = SeededRandom(seed: UInt64(index))
        let name = SyntheticText.name(&choices)
        // Most characters have no description, as in the real catalog.
        let description = choices.number(below: 5) == 0 ? SyntheticText.description(of: name, &choices) : ""
        return MarvelCharacter(
            id: id,
            name: name,
            description: description,
            // The times are a minute apart, from 2014-01-01 on.
            modified: Timestamp(seconds: 1_388_534_400 + Int64(index) * 60),
            thumbnail: .emblem(of: id),
            comicCount: choices.skewedCount(),
            seriesCount: choices.skewedCount(),
            storyCount: choices.skewedCount(),
            eventCount: Int32(choices.number(below: 4))
        )
    }

    package func catalog() -> InMemoryCatalog {
        let provenance = Provenance(attribution: Self.attribution, freshness: Freshness(source: .synthetic))
        return InMemoryCatalog(CharacterIndex(distinct: self), kind: .synthetic, provenance: provenance)
    }
}

struct SeededRandom {
    private var generator: SplitMix64

    /// Otherwise the sequences of two seeds are the same, shifted by a few numbers.
    init(seed: UInt64) { generator = SplitMix64(seed: SplitMix64.mix(seed &+ 1)) }

    mutating func number(below bound: Int) -> Int {
        Int(generator.next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    mutating func element<Element>(of elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }

    mutating func skewedCount() -> Int32 {
        let magnitude = number(below: 12)
        return Int32(number(below: 1 << magnitude))
    }
}
