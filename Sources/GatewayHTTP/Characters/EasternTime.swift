internal import MarvelDomain

/// The API's date format, in New York time: `2014-04-29T14:18:17-0400`.
///
/// Daylight saving time follows the law in force since 2007. An older date is shown with the offset of standard time,
/// which names the same moment. So the machine needs no table of time zones.
enum EasternTime {
    private static let winterOffset: Int64 = -5 * 3600
    private static let summerOffset: Int64 = -4 * 3600

    static func text(_ time: Timestamp) -> String {
        let offset = offset(atUTC: time.seconds)
        let local = CivilTime(seconds: time.seconds + offset)
        let zone = offset == summerOffset ? "-0400" : "-0500"
        return "\(local.date)T\(local.timeOfDay)\(zone)"
    }

    static func year(_ time: Timestamp) -> Int64 {
        CivilTime(seconds: time.seconds + offset(atUTC: time.seconds)).year
    }

    /// Reads `yyyy-MM-dd`, optionally followed by `T` or a space and `HH:mm` or `HH:mm:ss`, and then optionally by `Z`,
    /// `±HHmm` or `±HH:mm`. A date without an offset is in New York time.
    ///
    /// In a query an unescaped `+` means a space, so a space before an offset is read as a plus.
    static func parse(_ text: String) -> Timestamp? {
        let pattern =
            /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?(?:(Z)|([+ -])([0-9]{2}):?([0-9]{2}))?)?/
        guard let parts = text.wholeMatch(of: pattern)?.output else { return nil }
        func number(_ part: Substring?) -> Int64 { part.flatMap { Int64($0) } ?? 0 }
        let time = CivilTime(
            year: number(parts.1),
            month: number(parts.2),
            day: number(parts.3),
            hour: number(parts.4),
            minute: number(parts.5),
            second: number(parts.6)
        )
        guard let local = time.validSeconds else { return nil }
        if parts.7 != nil { return Timestamp(seconds: local) }
        guard let sign = parts.8 else { return Timestamp(seconds: local - offset(atUTC: local - winterOffset)) }
        let offset = number(parts.9) * 3600 + number(parts.10) * 60
        return Timestamp(seconds: sign == "-" ? local + offset : local - offset)
    }

    /// Returns the offset. Daylight saving time lasts from 2:00 on the second Sunday of March to 2:00 on the first
    /// Sunday of November.
    private static func offset(atUTC seconds: Int64) -> Int64 {
        let year = CivilTime(seconds: seconds + winterOffset).year
        guard year >= 2007 else { return winterOffset }
        let start = CivilTime.midnight(ofSunday: 2, month: 3, year: year) + 2 * 3600 - winterOffset
        let end = CivilTime.midnight(ofSunday: 1, month: 11, year: year) + 2 * 3600 - summerOffset
        return (start..<end).contains(seconds) ? summerOffset : winterOffset
    }
}
