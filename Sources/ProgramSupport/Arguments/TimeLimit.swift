internal import ArgumentParser

/// A time above zero as people write it: `250ms`, `10s`, `1.5s`, `2m`, `1h`.
package struct TimeLimit: ExpressibleByArgument, Equatable, Sendable {
    package let duration: Duration

    package init(_ duration: Duration) { self.duration = duration }

    /// Nil if the unit is missing or unknown, or the number is not one, zero, or past a year.
    package init?(argument: String) {
        let number = argument.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let unit = TimeLimit.milliseconds[String(argument.dropFirst(number.count))],
            number.first != ".", number.last != ".",
            let count = Double(number)
        else { return nil }
        let milliseconds = (count * unit).rounded()
        guard (1...TimeLimit.maximumMilliseconds).contains(milliseconds) else { return nil }
        self.duration = .milliseconds(Int64(milliseconds))
    }

    /// As `--help` shows a default: in seconds.
    package var defaultValueDescription: String { "\(duration / .seconds(1))s".replacing(".0s", with: "s") }

    private static let milliseconds = ["ms": 1.0, "s": 1_000, "m": 60_000, "h": 3_600_000]
    private static let maximumMilliseconds = 365 * 24 * 3_600_000.0
}
