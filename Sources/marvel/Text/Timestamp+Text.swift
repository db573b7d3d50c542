internal import MarvelClient
internal import MarvelDomain

extension Timestamp {
    /// The time in RFC 3339 format in UTC, with 0, 3, 6 or 9 digits of a second, as in protobuf's JSON.
    var rfc3339: String {
        let time = CivilTime(seconds: seconds)
        return "\(time.date)T\(time.timeOfDay)\(fractionText(nanoseconds))Z"
    }

    /// The time for people: `2026-01-31 09:05:00 UTC`.
    var readable: String {
        let time = CivilTime(seconds: seconds)
        return "\(time.date) \(time.timeOfDay) UTC"
    }
}

/// Returns nanoseconds as a fraction: empty, or a point and 3, 6 or 9 digits.
func fractionText(_ nanoseconds: Int32) -> String {
    guard nanoseconds != 0 else { return "" }
    // The leading digit keeps the zeros after it.
    let digits = String(1_000_000_000 + Int(nanoseconds)).dropFirst()
    if nanoseconds % 1_000_000 == 0 { return ".\(digits.prefix(3))" }
    if nanoseconds % 1_000 == 0 { return ".\(digits.prefix(6))" }
    return ".\(digits)"
}
