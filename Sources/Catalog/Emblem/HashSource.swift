/// A pseudorandom generator whose numbers depend on an id and a name alone, the same on every machine and in every
/// release.
struct HashSource {
    private var state: UInt64

    /// Combines id and name by FNV-1a over the name's UTF-8. The id is part of the initial value.
    init(id: Int64, name: String) {
        self.state = name.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ UInt64(bitPattern: id)) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
    }

    /// Creates a generator from a number of another one.
    init(seed: UInt64) {
        self.state = seed
    }

    /// Returns the next number (SplitMix64).
    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func next(below limit: Int) -> Int {
        Int(self.next() % UInt64(limit))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[self.next(below: elements.count)]
    }
}
