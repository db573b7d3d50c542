internal import MarvelDomain

/// The API's dates: `2014-04-29T14:18:17-0400`, on the clocks of New York.
///
/// Summer time is that of the law in force since 2007 and is not counted before: an older date is shown with the
/// offset of winter, which names the same moment. So no table of time zones has to be on the machine.
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

    /// Reads `yyyy-MM-dd`, with `T` or a space and `HH:mm` or `HH:mm:ss` behind it, and `Z` or `±HHmm` or `±HH:mm`
    /// behind that. A date without an offset is New York's.
    ///
    /// In a query an unescaped `+` means a space, so a space before an offset is a plus.
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

    /// From 2 o'clock on March's second Sunday to 2 o'clock on November's first.
    private static func offset(atUTC seconds: Int64) -> Int64 {
        let year = CivilTime(seconds: seconds + winterOffset).year
        guard year >= 2007 else { return winterOffset }
        let start = CivilTime.midnight(ofSunday: 2, month: 3, year: year) + 2 * 3600 - winterOffset
        let end = CivilTime.midnight(ofSunday: 1, month: 11, year: year) + 2 * 3600 - summerOffset
        return (start..<end).contains(seconds) ? summerOffset : winterOffset
    }
}
