/// What SUBSTRING looks for: letters that stand anywhere in a name.
struct SubstringPattern: Sendable {
    private static let everyByte: UInt64 = 0x0101_0101_0101_0101

    private let pairs: LetterPairs
    /// The bytes of the letters, and as a number the first eight of them, with which of its bits there are.
    private let bytes: [UInt8]
    private let beginning: UInt64
    private let beginningMask: UInt64
    /// The first two bytes, eight times each. Of a single one, the second is no byte that is compared.
    private let first: UInt64
    private let second: UInt64
    private let secondMask: UInt64

    /// Nil if there is nothing to look for.
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

    /// The names that hold the letters, and whether they hold nothing else.
    func forEachName(in names: SearchForms.Memory, _ found: (_ slot: Int, _ isWholeName: Bool) -> Void) {
        names.forEachName(holding: pairs) { slot in
            let name = names.range(slot)
            if stands(in: name, of: names) { found(slot, name.count == bytes.count) }
        }
    }

    @inline(__always)
    private func stands(in name: Range<Int>, of names: SearchForms.Memory) -> Bool {
        var place = name.lowerBound
        // Eight places at a time, most of which have other letters.
        while place &+ bytes.count <= name.upperBound {
            let others = names.bytes(place) ^ first | (names.bytes(place &+ 1) ^ second) & secondMask
            // The high bit of each byte that is zero, and of some that are not, but never of lower ones only.
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
