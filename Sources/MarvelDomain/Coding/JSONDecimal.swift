/// A whole decimal number of any size: digits and the number of zeros after them.
struct JSONDecimal {
    private var isNegative = false
    private var digits: [UInt8] = []
    private var zeroCount = 0

    init?(_ text: ArraySlice<UInt8>) {
        var rest = text
        if rest.first == UInt8(ascii: "-") {
            isNegative = true
            rest = rest.dropFirst()
        }
        let exponent = rest.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
        for byte in rest[..<(exponent ?? rest.endIndex)] where byte != UInt8(ascii: ".") {
            digits.append(byte - UInt8(ascii: "0"))
        }
        if let point = rest.firstIndex(of: UInt8(ascii: ".")) { zeroCount = point + 1 - (exponent ?? rest.endIndex) }
        if let exponent { zeroCount += JSONDecimal.power(rest[(exponent + 1)...]) }
        while digits.last == 0 {
            digits.removeLast()
            zeroCount += 1
        }
        digits = Array(digits.drop { $0 == 0 })
        if digits.isEmpty { zeroCount = 0 }
        if zeroCount < 0 { return nil }
    }

    /// Clamps the exponent: beyond the bounds no number fits, or is whole.
    private static func power(_ text: ArraySlice<UInt8>) -> Int {
        let bound = 1_000_000_000
        guard let power = Int(String(decoding: text, as: UTF8.self)) else {
            return text.first == UInt8(ascii: "-") ? -bound : bound
        }
        return max(-bound, min(power, bound))
    }

    func value<Number: FixedWidthInteger>() -> Number? {
        guard digits.count + zeroCount <= 20 else { return nil }
        var value: Number = 0
        for digit in digits + Array(repeating: 0, count: zeroCount) {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Number(digit)
            let change = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            guard !overflow, !change.overflow else { return nil }
            value = change.partialValue
        }
        return value
    }
}
