/// The random number generator SplitMix64 (Sebastiano Vigna): small, the same numbers for the same seed on every machine and
/// in every build, and no defence against guessing.
///
/// The generators of Swift's library are seeded anew in every process, and what they draw may change from one version of
/// Swift to the next.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= SplitMix64.increment
        return SplitMix64.mix(state)
    }

    /// Returns a hash of one number: the first number that a generator with that seed gives.
    package static func hash(_ number: UInt64) -> UInt64 { mix(number &+ increment) }

    /// Returns a number that differs in about half of its bits for each bit of `number`.
    package static func mix(_ number: UInt64) -> UInt64 {
        var mixed = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
