// Times and durations in the form of protobuf's JSON.

extension Timestamp {
    /// The years 1 to 9999, the range of `google.protobuf.Timestamp`.
    package static let validSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    package var isValid: Bool {
        Timestamp.validSeconds.contains(seconds) && (0..<1_000_000_000).contains(nanoseconds)
    }

    /// RFC 3339 in UTC, with 0, 3, 6 or 9 digits of a second: `2026-01-31T09:05:00.500Z`.
    package var rfc3339: String { rfc3339(fraction: fractionText(nanoseconds.magnitude)) }

    /// The same with always 3 digits of a second.
    package var rfc3339Milliseconds: String {
        rfc3339(fraction: ".\(String(1_000 + nanoseconds.magnitude / 1_000_000).dropFirst())")
    }

    private func rfc3339(fraction: String) -> String {
        let time = CivilTime(seconds: seconds)
        return "\(time.date)T\(time.timeOfDay)\(fraction)Z"
    }

    /// Parses RFC 3339: `2026-01-31T09:05:00.5Z`, or with an offset: `2026-01-31T10:05:00.5+01:00`. Nil if invalid.
    package init?(rfc3339 text: String) {
        var rest = DigitReader(text)
        guard let year = rest.digits(4...4), rest.take("-"), let month = rest.digits(2...2), rest.take("-"),
            let day = rest.digits(2...2), rest.take("T"), let hour = rest.digits(2...2), rest.take(":"),
            let minute = rest.digits(2...2), rest.take(":"), let second = rest.digits(2...2),
            let nanoseconds = rest.fraction(), let offset = rest.offset(), rest.isAtEnd
        else { return nil }
        let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard let local = time.validSeconds else { return nil }
        self.init(seconds: local - offset, nanoseconds: nanoseconds)
        guard isValid else { return nil }
    }
}

extension Duration {
    /// `google.protobuf.Duration`: ten thousand years. Sums of such values do not overflow.
    package static var protobufSeconds: ClosedRange<Int64> { -315_576_000_000...315_576_000_000 }

    /// Seconds with 0, 3, 6 or 9 digits after the point and an `s`: `1.500s`.
    package var protobufJSON: String {
        let nanoseconds = components.attoseconds / 1_000_000_000
        let sign = components.seconds < 0 || nanoseconds < 0 ? "-" : ""
        return "\(sign)\(components.seconds.magnitude)\(fractionText(UInt32(nanoseconds.magnitude)))s"
    }

    /// Parses seconds with up to 9 digits after the point and an `s`: `-1.5s`. Nil if invalid, or out of the range of
    /// `google.protobuf.Duration`.
    package init?(protobufJSON text: String) {
        var rest = DigitReader(text)
        let isNegative = rest.take("-")
        guard let seconds = rest.digits(1...12), let nanoseconds = rest.fraction(), rest.take("s"), rest.isAtEnd,
            Duration.protobufSeconds.contains(seconds)
        else { return nil }
        let magnitude = Duration.seconds(seconds) + .nanoseconds(Int64(nanoseconds))
        self = isNegative ? .zero - magnitude : magnitude
    }
}

/// `nanoseconds` is less than a second. The result is empty, or a point and 3, 6 or 9 digits.
private func fractionText(_ nanoseconds: UInt32) -> String {
    guard nanoseconds != 0 else { return "" }
    // The leading digit keeps the zeros after it.
    let digits = String(1_000_000_000 + UInt64(nanoseconds)).dropFirst()
    if nanoseconds.isMultiple(of: 1_000_000) { return ".\(digits.prefix(3))" }
    if nanoseconds.isMultiple(of: 1_000) { return ".\(digits.prefix(6))" }
    return ".\(digits)"
}

extension DigitReader {
    /// Parses a point and 1 to 9 digits as nanoseconds; 0 without a point.
    fileprivate mutating func fraction() -> Int32? {
        guard take(".") else { return 0 }
        let before = rest.count
        guard var value = digits(1...9) else { return nil }
        for _ in (before - rest.count)..<9 { value *= 10 }
        return Int32(value)
    }

    /// `Z`, or the seconds of an offset from UTC.
    fileprivate mutating func offset() -> Int64? {
        if take("Z") { return 0 }
        let isNegative = take("-")
        guard isNegative || take("+"), let hours = digits(2...2), take(":"), let minutes = digits(2...2), hours < 24,
            minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isNegative ? -seconds : seconds
    }
}
