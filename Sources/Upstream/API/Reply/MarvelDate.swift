package import MarvelDomain

/// The contract's date format: `2014-04-29T14:18:17-0400`, written in New York time.
package enum MarvelDate {
    /// Returns a moment in the format of the contract.
    package static func text(_ time: Timestamp) -> String {
        let offset = EasternTime.offset(atUTC: time.seconds)
        let local = CivilTime(seconds: time.seconds + offset)
        return "\(local.date)T\(local.timeOfDay)-0\(-offset / 3_600)00"
    }

    /// Returns the year of a moment in New York.
    package static func year(_ time: Timestamp) -> Int64 {
        CivilTime(seconds: time.seconds + EasternTime.offset(atUTC: time.seconds)).year
    }

    /// Reads a date of a response: with seconds, and with an offset of `Z`, `±HHmm` or `±HH:mm`.
    ///
    /// Nil if the moment is unknown: an unreadable date, the database's zero date (`-0001-11-30…`), or the Unix epoch
    /// itself, which more than half of the original catalog has in place of a missing date.
    package static func responseDate(_ text: String) -> Timestamp? {
        guard text.utf8.count >= 20, let date = ReadDate(text), !date.hasSpace, let offset = date.offset
        else { return nil }
        let seconds = date.local - offset
        return seconds == 0 ? nil : Timestamp(seconds: seconds)
    }

    /// Reads a date of a query: `yyyy-MM-dd`, optionally followed by `T` or a space and `HH:mm` or `HH:mm:ss`, and then
    /// optionally by an offset. A date without an offset is in New York time.
    ///
    /// In a query an unescaped `+` means a space, so a space before an offset is read as a plus.
    package static func queryDate(_ text: String) -> Timestamp? {
        guard let date = ReadDate(text) else { return nil }
        return Timestamp(seconds: date.local - (date.offset ?? EasternTime.offset(atLocal: date.local)))
    }
}

/// A date as it was written.
private struct ReadDate {
    /// The seconds since 1970-01-01T00:00:00 on the clock that the date was written by.
    let local: Int64
    /// The offset of that clock in seconds east of Greenwich; nil if the text names none.
    let offset: Int64?
    /// Whether a space stands before the time or in place of a sign.
    let hasSpace: Bool

    init?(_ text: String) {
        var rest = DigitReader(text)
        var (hour, minute, second, offset) = (Int64(0), Int64(0), Int64(0), Int64?.none)
        guard let year = rest.digits(4...4), rest.take("-"), let month = rest.digits(2...2), rest.take("-"),
            let day = rest.digits(2...2)
        else { return nil }
        if !rest.isAtEnd {
            guard rest.take("T") || rest.take(" "), let hours = rest.digits(2...2), rest.take(":"),
                let minutes = rest.digits(2...2)
            else { return nil }
            (hour, minute) = (hours, minutes)
            if rest.take(":") {
                guard let seconds = rest.digits(2...2) else { return nil }
                second = seconds
            }
            if !rest.isAtEnd {
                guard let found = rest.marvelOffset() else { return nil }
                offset = found
            }
        }
        let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard rest.isAtEnd, let local = time.validSeconds else { return nil }
        (self.local, self.offset, self.hasSpace) = (local, offset, text.utf8.contains(UInt8(ascii: " ")))
    }
}

extension DigitReader {
    /// Reads an offset in seconds east of Greenwich.
    fileprivate mutating func marvelOffset() -> Int64? {
        if take("Z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+") || take(" "), let hours = digits(2...2) else { return nil }
        _ = take(":")
        guard let minutes = digits(2...2), hours < 24, minutes < 60 else { return nil }
        return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
    }
}

/// The offset of the clocks of New York from UTC, in seconds.
///
/// Daylight saving time follows the law in force since 2007. An older date is shown with the offset of standard time,
/// which names the same moment. So the machine needs no table of time zones.
private enum EasternTime {
    private static let winterOffset: Int64 = -5 * 3_600
    private static let summerOffset: Int64 = -4 * 3_600

    /// Returns the offset at a moment. Daylight saving time lasts from 2:00 on the second Sunday of March to 2:00 on the
    /// first Sunday of November.
    static func offset(atUTC seconds: Int64) -> Int64 {
        let year = CivilTime(seconds: seconds + winterOffset).year
        guard year >= 2007 else { return winterOffset }
        let start = CivilTime.midnight(ofSunday: 2, month: 3, year: year) + 2 * 3_600 - winterOffset
        let end = CivilTime.midnight(ofSunday: 1, month: 11, year: year) + 2 * 3_600 - summerOffset
        return (start..<end).contains(seconds) ? summerOffset : winterOffset
    }

    /// Returns the offset at a time on the clocks of New York.
    static func offset(atLocal seconds: Int64) -> Int64 { offset(atUTC: seconds - winterOffset) }
}
