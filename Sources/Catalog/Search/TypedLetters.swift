/// The typed letters of a query, with an index of the places of each letter.
struct TypedLetters: Sendable {
    /// A value that is not a letter.
    private static let nothing: UInt32 = .max

    /// The letters with padding before and after them, because five letters around each place are compared.
    private let padded: [UInt32]
    /// The places of each ASCII letter in `padded`, one bit for each place; empty if there are more places than bits.
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

    /// Calls `body` with the memory of the letters. It is valid only during the call.
    func withMemory(_ body: (Memory) -> Void) {
        padded.withUnsafeBufferPointer { padded in
            places.withUnsafeBufferPointer { places in body(Memory(padded: padded, places: places)) }
        }
    }

    /// The memory of the letters, valid only during a call of `withMemory`.
    struct Memory {
        fileprivate let padded: UnsafeBufferPointer<UInt32>
        fileprivate let places: UnsafeBufferPointer<UInt64>
    }
}

extension TypedLetters.Memory {
    var count: Int { padded.count - 6 }

    /// Compares a letter with the five typed letters around a place, which is at most two after the last one. The
    /// result has a bit for each of the five.
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
