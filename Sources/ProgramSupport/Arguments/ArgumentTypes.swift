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

extension Duration {
    /// Reads a positive time (`250ms`, `10s`, `1.5s`, `2m`, `1h`), for an option's `transform`.
    package static func option(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text), duration > .zero else { throw optionError(text) }
        return duration
    }

    /// The parser prefixes the error with the text itself.
    package static func optionError(_ text: String) -> ValidationError {
        let rule = Duration.refusal(of: text)
        return ValidationError("\(rule.prefix(1).uppercased())\(rule.dropFirst()).")
    }
}
