/// A value that a setting was given, and its source.
package struct GivenSetting: Sendable, Hashable {
    /// A source of values. A later case takes precedence over an earlier one.
    package enum Source: Sendable, Hashable, CustomStringConvertible {
        case file(path: String, line: Int)
        case environment(variable: String)
        case commandLine(flag: String)

        package var description: String {
            switch self {
            case .file(let path, let line): "\(path):\(line)"
            case .environment(let variable): variable
            case .commandLine(let flag): flag
            }
        }
    }

    package let setting: Setting
    /// The values as written; one, unless the setting is a list. A toggle has `true` or `false`.
    package var texts: [String]
    package let source: Source

    package init(_ setting: Setting, _ texts: [String], from source: Source) {
        (self.setting, self.texts, self.source) = (setting, texts, source)
    }

    /// The arguments that give the setting this value.
    var arguments: [String] {
        switch setting.kind {
        case .toggle(let negation):
            if texts.last == "true" { return [setting.flag] }
            return negation.map { [$0] } ?? []
        case .value, .list:
            // In one word, because a value may begin with a hyphen.
            return texts.map { "\(setting.flag)=\($0)" }
        }
    }

    /// The name of the setting for a message about the value: its key and where it stands, or its variable.
    var nameInMessages: String {
        switch source {
        case .file(let path, let line): "\(path), line \(line): \(setting.key)"
        case .environment(let variable): variable
        case .commandLine(let flag): flag
        }
    }

    /// Reads the words that switch a toggle on and off.
    ///
    /// - Returns: `true` or `false`; nil if the text is another one.
    static func toggle(_ text: String) -> String? {
        switch text.lowercased() {
        case "true": "true"
        case "false": "false"
        default: nil
        }
    }
}

/// All that is wrong with a file of settings or with the environment.
package struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    package let problems: [String]

    package init(_ problems: [String]) { self.problems = problems }

    package var description: String { problems.joined(separator: "\n") }
}
