package import MarvelDomain

/// The contract's date format: `2014-04-29T14:18:17-0400`, in New York time.
package enum MarvelDate {
    /// A time outside of the years 1 to 9999 counts as the nearest one in them.
    package static func text(_ time: Timestamp) -> String {
        let (local, offset) = newYorkTime(time)
        return "\(local.date)T\(local.timeOfDay)-0\(-offset / 3_600)00"
    }

    package static func year(_ time: Timestamp) -> Int64 { newYorkTime(time).local.year }

    private static func newYorkTime(_ time: Timestamp) -> (local: CivilTime, offset: Int64) {
        let seconds = min(max(time.seconds, Timestamp.validSeconds.lowerBound), Timestamp.validSeconds.upperBound)
        let offset = EasternTime.offset(atUTC: seconds)
        return (CivilTime(seconds: seconds + offset), offset)
    }

    /// Requires seconds, and an offset of `Z`, `±HHmm` or `±HH:mm`. Nil outside of the years 1 to 9999, and for the two
    /// values that mean "unknown": the database's zero date (`-0001-11-30…`) and the Unix epoch.
    package static func responseDate(_ text: String) -> Timestamp? {
        guard text.utf8.count >= 20, let date = ReadDate(text), !date.hasSpace, let offset = date.offset
        else { return nil }
        let time = Timestamp(seconds: date.local - offset)
        return time.seconds == 0 || !time.isValid ? nil : time
    }

    /// `yyyy-MM-dd`, then optionally `T` or a space and `HH:mm[:ss]`, then optionally an offset; by default New York
    /// time. An unescaped `+` in a query means a space, so a space before an offset counts as a plus.
    package static func queryDate(_ text: String) -> Timestamp? {
        guard let date = ReadDate(text) else { return nil }
        return Timestamp(seconds: date.local - (date.offset ?? EasternTime.offset(atLocal: date.local)))
    }
}

private struct ReadDate {
    /// Seconds since 1970-01-01T00:00:00 on the local clock.
    let local: Int64
    /// Seconds east of Greenwich; nil if the text has none.
    let offset: Int64?
    /// Whether a space stands before the time, or in place of a sign.
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
    fileprivate mutating func marvelOffset() -> Int64? {
        if take("Z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+") || take(" "), let hours = digits(2...2) else { return nil }
        _ = take(":")
        guard let minutes = digits(2...2), hours < 24, minutes < 60 else { return nil }
        return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
    }
}

/// New York's offset from UTC, in seconds. Daylight saving time follows the law since 2007: from 2:00 on the second
/// Sunday of March to 2:00 on the first Sunday of November. Older dates use standard time, which names the same moment.
private enum EasternTime {
    private static let winterOffset: Int64 = -5 * 3_600
    private static let summerOffset: Int64 = -4 * 3_600

    static func offset(atUTC seconds: Int64) -> Int64 {
        let year = CivilTime(seconds: seconds + winterOffset).year
        guard year >= 2007 else { return winterOffset }
        let start = CivilTime.midnight(ofSunday: 2, month: 3, year: year) + 2 * 3_600 - winterOffset
        let end = CivilTime.midnight(ofSunday: 1, month: 11, year: year) + 2 * 3_600 - summerOffset
        return (start..<end).contains(seconds) ? summerOffset : winterOffset
    }

    static func offset(atLocal seconds: Int64) -> Int64 { offset(atUTC: seconds - winterOffset) }
}
