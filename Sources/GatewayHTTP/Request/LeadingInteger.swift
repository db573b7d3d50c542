extension StringProtocol {
    /// The integer at the beginning of the text, as PHP reads it. White space before it and any text after it are
    /// ignored, so that `12abc` is 12. A number that is out of range is clamped.
    ///
    /// Nil if there is no digit.
    var leadingInteger: Int? {
        var rest = utf8.drop { [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains($0) }
        var isNegative = false
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest = rest.dropFirst()
        }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        return Int(isNegative ? "-" + text : text) ?? (isNegative ? .min : .max)
    }
}
