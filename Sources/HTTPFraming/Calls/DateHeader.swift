internal import MarvelDomain

/// The value of the `Date` header, which is made once a second (RFC 9110, section 6.6.1).
package struct DateHeader: Sendable {
    private var second: Int64 = 0
    private var text = ""

    package init() {}

    /// Makes the value, or returns the previous one for the same second. `now` is the seconds since the beginning of
    /// 1970.
    package mutating func value(at now: Int64) -> String {
        if now != second || text.isEmpty { (second, text) = (now, HTTPDate.text(now)) }
        return text
    }
}
