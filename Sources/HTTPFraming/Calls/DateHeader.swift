internal import MarvelDomain

/// The value of the `Date` header, which is written once a second (RFC 9110, section 6.6.1).
package struct DateHeader: Sendable {
    private var second: Int64 = 0
    private var text = ""

    package init() {}

    /// Makes the value for an answer, or takes that of the last one.
    ///
    /// - Parameter now: The seconds since the beginning of 1970.
    /// - Returns: The text of that second, which is made once for all answers.
    package mutating func value(at now: Int64) -> String {
        if now != second || text.isEmpty { (second, text) = (now, HTTPDate.text(now)) }
        return text
    }
}
