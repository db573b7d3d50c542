public import ArgumentParser
package import Logging
internal import MarvelDomain
public import RPCCore

package enum LogLevel: String, ExpressibleByArgument, CaseIterable, Sendable {
    case debug
    case info
    case notice
    case warning
    case error

    package var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}

package enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case json
    case text
}

extension ServerAddress: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// A positive time: `250ms`, `10s`, `1.5s`, `2m`, `1h`.
package struct TimeLimit: ExpressibleByArgument, Equatable, Sendable, CustomStringConvertible {
    package let duration: Duration

    package init(_ duration: Duration) { self.duration = duration }

    package init?(argument: String) {
        guard let duration = Duration(text: argument), duration > .zero else { return nil }
        self.duration = duration
    }

    /// A function for an option's `transform`, whose help is `ArgumentHelp.time`.
    package static func option(_ text: String) throws -> TimeLimit {
        if let limit = TimeLimit(argument: text) { return limit }
        throw refusal(of: text)
    }

    /// The parser prefixes the error with the text itself.
    package static func refusal(of text: String) -> ValidationError {
        let rule = Duration.refusal(of: text)
        return ValidationError("\(rule.prefix(1).uppercased())\(rule.dropFirst()).")
    }

    package var defaultValueDescription: String { duration.text }
    package var description: String { duration.text }
}

extension ArgumentHelp {
    /// The parser does not show the default of an option with a `transform`, so the help includes it.
    package static func time(_ abstract: String, default value: TimeLimit, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp("\(abstract) (default: \(value))", valueName: valueName)
    }
}
