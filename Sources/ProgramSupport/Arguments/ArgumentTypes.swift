public import ArgumentParser
package import Logging
internal import MarvelDomain
public import RPCCore

/// A log level as an option.
package enum LogLevel: String, ExpressibleByArgument, CaseIterable, Sendable {
    case debug
    case info
    case notice
    case warning
    case error

    package var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
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

/// A time above zero as an option: `250ms`, `10s`, `1.5s`, `2m`, `1h`.
package struct TimeLimit: ExpressibleByArgument, Equatable, Sendable, CustomStringConvertible {
    package let duration: Duration

    package init(_ duration: Duration) { self.duration = duration }

    package init?(argument: String) {
        guard let duration = Duration(text: argument), duration > .zero else { return nil }
        self.duration = duration
    }

    /// Reads the value of an option, for the option's `transform`. The option's help is `ArgumentHelp.time`.
    ///
    /// - Throws: `ValidationError`, which says to add a unit if only the unit is missing.
    package static func option(_ text: String) throws -> TimeLimit {
        if let limit = TimeLimit(argument: text) { return limit }
        throw refusal(of: text)
    }

    /// Returns the error for a text that is no time. The parser puts the text itself in front of it.
    package static func refusal(of text: String) -> ValidationError {
        let rule = Duration.refusal(of: text)
        return ValidationError("\(rule.prefix(1).uppercased())\(rule.dropFirst()).")
    }

    package var defaultValueDescription: String { duration.text }
    package var description: String { duration.text }
}

extension ArgumentHelp {
    /// Makes the help of an option with a `transform`, because the parser does not show the default of such an option.
    package static func time(_ abstract: String, default value: TimeLimit, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp("\(abstract) (default: \(value))", valueName: valueName)
    }
}
