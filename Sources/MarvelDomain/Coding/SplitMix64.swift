/// The random number generator SplitMix64 (Sebastiano Vigna): small, predictable, and the same for each seed on every
/// machine and in every build.
///
/// Swift's generators have a new seed in every process, and may change with Swift's version.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= SplitMix64.increment
        return SplitMix64.mix(state)
    }

    package static func hash(_ number: UInt64) -> UInt64 { mix(number &+ increment) }

    /// Each bit of `number` changes about half of the result's bits.
    package static func mix(_ number: UInt64) -> UInt64 {
        var mixed = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
