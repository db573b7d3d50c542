/// The date format that HTTP servers send (RFC 9110, section 5.6.7): `Wed, 08 May 2024 17:57:08 GMT`.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let secondsPerDay: Int64 = 86_400

    /// The seconds since 1970; nil if the text has another format.
    package static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        let numbers = ([words[1], words[3]] + clock).compactMap { Int64($0) }
        guard numbers.count == 5, clock.count == 3 else { return nil }
        return CivilTime(
            year: numbers[1],
            month: Int64(month + 1),
            day: numbers[0],
            hour: numbers[2],
            minute: numbers[3],
            second: numbers[4]
        ).validSeconds
    }

    /// `seconds` counts from the beginning of 1970 and is not negative.
    package static func text(_ seconds: Int64) -> String {
        let time = CivilTime(seconds: seconds)
        let day = days[Int(seconds / secondsPerDay % 7)]
        let date = "\(time.date.suffix(2)) \(months[Int(time.month) - 1]) \(time.date.prefix(4))"
        return "\(day), \(date) \(time.timeOfDay) GMT"
    }
}
