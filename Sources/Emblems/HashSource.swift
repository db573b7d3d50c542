internal import MarvelDomain

/// A pseudorandom generator whose numbers depend on an id and a name alone, the same on every machine and in every
/// release.
struct HashSource {
    private var generator: SplitMix64

    /// Combines id and name by FNV-1a over the name's UTF-8. The id is part of the initial value.
    init(id: Int64, name: String) {
        var hash = FNV1a(seed: UInt64(bitPattern: id))
        hash.combine(name.utf8)
        generator = SplitMix64(seed: hash.value)
    }

    /// Creates a generator from a number of another one.
    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    mutating func next(below limit: Int) -> Int {
        Int(next() % UInt64(limit))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[next(below: elements.count)]
    }
}
