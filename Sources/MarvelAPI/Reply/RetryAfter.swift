internal import MarvelDomain

/// The `Retry-After` header (RFC 9110 section 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// The longest delay that is accepted, in seconds: a day, which is the window of a quota.
    static let maximum: Int64 = 86_400

    /// Returns the delay that the response asks for, 0 to 24 hours; nil if it has none.
    ///
    /// A date is compared with the response's own `Date`, so that the local clock does not matter.
    package static func delay(in headers: HTTPHeaders) -> Duration? {
        guard let value = headers["Retry-After"] else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(value) ?? maximum, maximum))
        }
        guard let then = HTTPDate.seconds(value), let now = headers["Date"].flatMap(HTTPDate.seconds)
        else { return nil }
        return .seconds(min(max(then - now, 0), maximum))
    }
}

/// The one date format that servers send (RFC 9110 section 5.6.7): `Wed, 08 May 2024 17:57:08 GMT`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns seconds since 1970, or nil if the text has another format.
    static func seconds(_ text: String) -> Int64? {
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
}
