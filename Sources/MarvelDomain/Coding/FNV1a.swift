/// The 64-bit hash FNV-1a: small, and the same on every machine and in every build. It does not protect against
/// forgery.
///
/// Swift's own `Hasher` has a random seed in every process, but page tokens, places and stores outlive a process.
@usableFromInline
package struct FNV1a: Sendable {
    @usableFromInline package var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable package init() {}

    /// A seed gives another hash of the same bytes.
    @inlinable package init(seed: UInt64) { value ^= seed }

    @inlinable package mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    @inlinable package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { combine(byte) }
    }

    /// Hashes contiguous bytes directly: through the sequence, it took 8 % of a page's time.
    @inlinable package mutating func combine(_ bytes: some Sequence<UInt8>) {
        var hash = self
        let isHashed: Void? = bytes.withContiguousStorageIfAvailable { bytes in
            for byte in bytes { hash.combine(byte) }
        }
        if isHashed == nil { for byte in bytes { hash.combine(byte) } }
        self = hash
    }

    /// Hashes eight bytes at a time, and the last ones singly. It is several times faster, and gives another hash.
    @inlinable package mutating func combine(words bytes: UnsafeRawBufferPointer) {
        let end = bytes.count & ~7
        for offset in stride(from: 0, to: end, by: 8) {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            value = (value ^ word) &* 0x0000_0100_0000_01B3
            // The multiplication carries a difference to higher bits only.
            value ^= value >> 32
        }
        combine(UnsafeRawBufferPointer(rebasing: bytes[end...]))
    }

    /// The least significant byte first.
    @inlinable package mutating func combine(number: Int64) {
        for shift in stride(from: 0, to: 64, by: 8) { combine(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
