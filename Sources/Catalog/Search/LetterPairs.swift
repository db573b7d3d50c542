/// Which letters stand side by side in a search form: 64 bits, a bit for each pair.
///
/// A bit may stand for several pairs, so these numbers say "perhaps" or "no"; nearly every name of a catalog is a "no" to
/// nearly every query.
struct LetterPairs: Sendable, Hashable {
    private(set) var bits: UInt64 = 0

    init() {}

    /// - Parameter letters: The scalars of a search form, in order.
    init(_ letters: [UInt32]) {
        for (first, second) in zip(letters, letters.dropFirst()) { insert(first, second) }
    }

    @inline(__always)
    mutating func insert(_ first: UInt32, _ second: UInt32) {
        let mixed = (first << 8 ^ second) &* 0x9E37_79B1
        bits |= 1 << UInt64(mixed >> 26)
    }

    /// Whether nothing of `others` is missing. No processor can foresee the answer: there is no branch in here.
    @inline(__always)
    func mayHold(_ others: LetterPairs) -> Bool { others.bits & ~bits == 0 }
}
