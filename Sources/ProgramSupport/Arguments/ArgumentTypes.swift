public import ArgumentParser
package import Logging
public import RPCCore

/// A log level as an option.
package enum LogLevel: String, ExpressibleByArgument, CaseIterable, Sendable {
    case debug
    case info
    case notice
    case warning
    case error

    package var level: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}

/// The form of the lines of a log as an option.
package enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// An object of JSON on each line, for programs.
    case json
    /// Time, level, message and facts on each line, for people.
    case text
}

extension ServerAddress: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// A time above zero in the format of the command line: `250ms`, `10s`, `1.5s`, `2m`, `1h`.
package struct TimeLimit: ExpressibleByArgument, Equatable, Sendable, CustomStringConvertible {
    package let duration: Duration

    package init(_ duration: Duration) { self.duration = duration }

    /// Reads a time. Nil if the unit is missing or unknown, or the number is invalid, zero, or more than a year.
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

    /// Reads the value of an option, for the option's `transform`. The option's help is `ArgumentHelp.time`.
    ///
    /// - Throws: `ValidationError`, which says to add a unit if only the unit is missing.
    package static func option(_ text: String) throws -> TimeLimit {
        if let limit = TimeLimit(argument: text) { return limit }
        throw ValidationError(refusal(of: text))
    }

    /// Returns a sentence that says why the text is not a time, and what to write.
    package static func refusal(of text: String) -> String {
        if TimeLimit(argument: text + "s") != nil { return "Add a unit: \(text)s, or one of ms, m, h." }
        return "A time is a number above 0 with a unit, one year at most: 250ms, 10s, 1.5s, 2m, 1h."
    }

    /// The time in seconds, as `--help` shows a default.
    package var defaultValueDescription: String { "\(duration / .seconds(1))s".replacing(".0s", with: "s") }
    package var description: String { defaultValueDescription }

    private static let milliseconds = ["ms": 1.0, "s": 1_000, "m": 60_000, "h": 3_600_000]
    private static let maximumMilliseconds = 365 * 24 * 3_600_000.0
}

extension ArgumentHelp {
    /// Makes the help of an option with a `transform`, because the parser does not show the default of such an option.
    package static func time(_ abstract: String, default value: TimeLimit, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp("\(abstract) (default: \(value))", valueName: valueName)
    }
}
