/// One setting of a program: an option of its command line, with its names in the environment and in a file.
package struct Setting: Sendable, Hashable {
    /// The kind of value that the setting takes.
    package enum Kind: Sendable, Hashable {
        /// A switch that is either on or off. The option in `negation` switches it off; nil if there is none.
        case toggle(negation: String?)
        case value
        /// Any number of values.
        case list
    }

    /// The option with its hyphens: `--framed`.
    package let flag: String
    /// The key in a file, with its group: `framed.address`.
    package let key: String
    /// The variable in the environment: `MARVEL_FRAMED`.
    package let variable: String
    package let kind: Kind
    /// The word for the value in the help: `address`.
    package let valueName: String
    /// The help of the option, without its default.
    package let help: String
    /// The default as the help shows it: a value, or a text that explains it. Empty if there is none.
    package let defaultText: String
    /// The allowed values; empty if there is no list of them.
    package let choices: [String]

    /// The options that set it.
    package var flags: [String] {
        if case .toggle(let negation?) = kind { [flag, negation] } else { [flag] }
    }

    var isToggle: Bool {
        if case .toggle = kind { true } else { false }
    }

    /// The default, if it is a value that can be written in a file.
    package var defaultValue: String? {
        if isToggle, defaultText.isEmpty { return "false" }
        return defaultText.isEmpty || defaultText == "none" || defaultText.contains(" ") ? nil : defaultText
    }

    /// Whether the value is a secret itself, and not the name of a file that holds it.
    package var isSecret: Bool { Self.isSecret(name: String(flag.dropFirst(2))) && valueName != "file" }

    /// Returns whether a value with this name is a secret: the last word is one like `key`.
    static func isSecret(name: String) -> Bool {
        let words = name.lowercased().split { $0 == "-" || $0 == "_" }
        return words.last.map { ["key", "password", "secret", "token"].contains($0) } ?? false
    }
}

/// The one rule that makes the other names of a setting from its option.
///
/// The option's section in the help is the group of its key: `--max-streams` in "Limits" is `limits.max-streams`. Without
/// a section, a known first word is the group: `--log-level` is `log.level`, and `--framed` is `framed.address`. All other
/// options have no group.
enum SettingNames {
    /// The first words that are groups.
    static let groups: Set<String> = ["cors", "framed", "http", "log", "operations", "tls", "tokens"]

    /// Returns the key of an option.
    ///
    /// - Parameters:
    ///   - name: The option's name without hyphens in front: `log-level`.
    ///   - section: The title of its section in the help; nil if it has none.
    ///   - valueName: The word for its value. It is the key in the group if the option is named as its group.
    /// - Returns: The key with its group.
    static func key(of name: String, section: String?, valueName: String) -> String {
        let firstWord = String(name.prefix { $0 != "-" })
        let group: String
        if let section, !section.isEmpty {
            group = section.lowercased().replacing(" ", with: "-")
        } else if groups.contains(firstWord) {
            group = firstWord
        } else {
            return name
        }
        if name == group { return "\(group).\(valueName)" }
        return name.hasPrefix(group + "-") ? "\(group).\(name.dropFirst(group.count + 1))" : "\(group).\(name)"
    }

    /// Returns the variable of an option.
    static func variable(of name: String) -> String {
        "MARVEL_" + name.uppercased().replacing("-", with: "_")
    }
}
