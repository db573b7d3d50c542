/// A Bloom filter of 64 bits over the pairs of adjacent letters in a search form.
///
/// A bit may belong to several pairs, so that the answer is "perhaps" or "no". For nearly every query the answer is
/// "no" for nearly every name of a catalog.
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

    /// Returns whether this may contain all pairs of `others`. It has no branch, because the answer is unpredictable
    /// for the processor.
    @inline(__always)
    func mayHold(_ others: LetterPairs) -> Bool { others.bits & ~bits == 0 }
}
