/// The hash FNV-1a: small, the same on every machine and in every build, and no defence against forgery.
///
/// Swift's own `Hasher` is seeded anew in every process; page tokens outlive processes.
package struct FNV1a {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(byte) }
    }
}
