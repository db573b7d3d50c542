/// The first eight letters from the beginning of a word on, as one number with seven bits for each: the first in the
/// lowest byte, nothing behind the end of the name.
///
/// Letters that are alike have the same code, and nearly all that differ have another one: an answer from heads is "no"
/// or "perhaps".
enum WordHead {
    static let letterCount = 8

    /// 1 to 122.
    @inline(__always)
    static func code(_ letter: UInt32) -> UInt8 {
        switch letter {
        case 0x61...0x7A, 0x30...0x39: UInt8(truncatingIfNeeded: letter)
        // What is free below the digits.
        default: UInt8(truncatingIfNeeded: letter % 0x2F + 1)
        }
    }

    static func pack(_ codes: some BidirectionalCollection<UInt8>) -> UInt64 {
        codes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
