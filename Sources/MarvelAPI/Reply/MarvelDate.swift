internal import MarvelDomain

/// The contract's date format: `yyyy-MM-dd'T'HH:mm:ss±HHmm`. A colon in the offset and `Z` are accepted as well.
enum MarvelDate {
    /// Reads a date. Nil if the moment is unknown: an unreadable date, the database's zero date (`-0001-11-30…`), or
    /// the Unix epoch itself, which more than half of the original catalog has in place of a missing date.
    static func timestamp(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, separators.allSatisfy({ bytes[$0.key] == $0.value }) else { return nil }
        guard let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let offset = offset(bytes[19...]),
            let local = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
                .validSeconds
        else { return nil }
        let seconds = local - offset
        return seconds == 0 ? nil : Timestamp(seconds: seconds)
    }

    /// Returns a moment in the format of the contract's responses, in New York's winter time (-0500).
    static func text(_ timestamp: Timestamp) -> String {
        let time = CivilTime(seconds: timestamp.seconds - 5 * 3_600)
        return "\(time.date)T\(time.timeOfDay)-0500"
    }

    private static let separators: [Int: UInt8] = [
        4: UInt8(ascii: "-"), 7: UInt8(ascii: "-"), 10: UInt8(ascii: "T"), 13: UInt8(ascii: ":"), 16: UInt8(ascii: ":"),
    ]

    /// Reads an offset, in seconds east of Greenwich.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        if bytes.elementsEqual("Z".utf8) { return 0 }
        let digits = bytes.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 4, let hours = number(digits[0..<2]), let minutes = number(digits[2..<4]),
            hours < 24, minutes < 60
        else { return nil }
        switch bytes.first {
        case UInt8(ascii: "+"): return hours * 3_600 + minutes * 60
        case UInt8(ascii: "-"): return -(hours * 3_600 + minutes * 60)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
