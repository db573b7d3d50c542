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
