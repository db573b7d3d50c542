/// The pattern of a SUBSTRING search: letters that may occur anywhere in a name.
struct SubstringPattern: Sendable {
    private static let everyByte: UInt64 = 0x0101_0101_0101_0101

    private let pairs: LetterPairs
    /// The bytes of the letters.
    private let bytes: [UInt8]
    /// The first eight bytes as a number.
    private let beginning: UInt64
    /// The bits of `beginning` that are compared, for patterns of fewer than eight bytes.
    private let beginningMask: UInt64
    /// The first byte, repeated eight times.
    private let first: UInt64
    /// The second byte, repeated eight times.
    private let second: UInt64
    /// The bits of `second` that are compared: none if the pattern has one byte.
    private let secondMask: UInt64

    /// Creates a pattern; nil if the form has no letters.
    init?(_ form: SearchForm) {
        guard let firstByte = form.letters.first else { return nil }
        pairs = LetterPairs(form.scalars)
        bytes = form.letters
        beginning = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        beginningMask = bytes.count < 8 ? ~(~0 << UInt64(8 * bytes.count)) : ~0
        first = UInt64(firstByte) * SubstringPattern.everyByte
        second = UInt64(bytes.count > 1 ? bytes[1] : 0) * SubstringPattern.everyByte
        secondMask = bytes.count > 1 ? ~0 : 0
    }

    /// Calls `found` with each name that contains the letters, and whether it contains nothing else.
    func forEachName(in names: SearchForms.Memory, _ found: (_ slot: Int, _ isWholeName: Bool) -> Void) {
        names.forEachName(holding: pairs) { slot in
            let name = names.range(slot)
            if occurs(in: name, of: names) { found(slot, name.count == bytes.count) }
        }
    }

    @inline(__always)
    private func occurs(in name: Range<Int>, of names: SearchForms.Memory) -> Bool {
        var place = name.lowerBound
        // Eight places are compared at a time, because most have other letters.
        while place &+ bytes.count <= name.upperBound {
            let others = names.bytes(place) ^ first | (names.bytes(place &+ 1) ^ second) & secondMask
            // This sets the high bit of each byte that is zero. It may set more bits, but only above a true one.
            var equals = (others &- SubstringPattern.everyByte) & ~others & (SubstringPattern.everyByte << 7)
            while equals != 0 {
                let start = place &+ equals.trailingZeroBitCount >> 3
                guard start &+ bytes.count <= name.upperBound else { return false }
                if names.bytes(start) & beginningMask == beginning, isRest(at: start &+ 8, in: names) { return true }
                equals &= equals &- 1
            }
            place &+= 8
        }
        return false
    }

    @inline(__always)
    private func isRest(at place: Int, in names: SearchForms.Memory) -> Bool {
        bytes.count <= 8 || bytes[8...].elementsEqual(names.letters[place..<place + bytes.count - 8])
    }
}

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
