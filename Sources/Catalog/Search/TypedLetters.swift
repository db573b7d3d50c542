/// The letters of what was typed, laid out to be found: where a letter of a name stands among them.
struct TypedLetters: Sendable {
    /// Is no letter.
    private static let nothing: UInt32 = .max

    /// With nothing before and behind them: five around each place are looked at.
    private let padded: [UInt32]
    /// For each letter of ASCII a bit where it stands among `padded`; empty if there are more places than bits.
    private let places: [UInt64]

    init(_ letters: [UInt32]) {
        let nothing = TypedLetters.nothing
        padded = Array(repeating: nothing, count: 2) + letters + Array(repeating: nothing, count: 4)
        var places: [UInt64] = []
        if padded.count <= UInt64.bitWidth {
            places = Array(repeating: 0, count: 0x80)
            for (place, letter) in padded.enumerated() where letter < 0x80 { places[Int(letter)] |= 1 << UInt64(place) }
        }
        self.places = places
    }

    /// Lends the memory that they are in.
    func withMemory(_ body: (Memory) -> Void) {
        padded.withUnsafeBufferPointer { padded in
            places.withUnsafeBufferPointer { places in body(Memory(padded: padded, places: places)) }
        }
    }

    /// Valid as long as it is lent.
    struct Memory {
        fileprivate let padded: UnsafeBufferPointer<UInt32>
        fileprivate let places: UnsafeBufferPointer<UInt64>
    }
}

extension TypedLetters.Memory {
    var count: Int { padded.count - 6 }

    /// Which of the five letters around a place, 0 to two behind the last one, are this one: a bit for each.
    @inline(__always)
    func equal(to letter: UInt32, around place: Int) -> UInt8 {
        if letter < 0x80, !places.isEmpty {
            return UInt8(truncatingIfNeeded: places[Int(letter)] &>> UInt64(place)) & 0b11111
        }
        var bits: UInt8 = 0
        for offset in 0..<5 { bits |= (padded[place + offset] == letter ? 1 : 0) << UInt8(truncatingIfNeeded: offset) }
        return bits
    }
}
