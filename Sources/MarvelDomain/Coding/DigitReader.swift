package struct DigitReader {
    private(set) var rest: Substring.UTF8View

    package init(_ text: String) { rest = text[...].utf8 }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads digits; nil if there are fewer than `counts` allows. Further digits are left for the next call.
    package mutating func digits(_ counts: ClosedRange<Int>) -> Int64? {
        let digits = rest.prefix(counts.upperBound).prefix(while: \.isDigit)
        guard digits.count >= counts.lowerBound else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
    }
}

extension UInt8 {
    @inlinable package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
