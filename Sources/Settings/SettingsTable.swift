internal import Foundation
internal import ProgramSupport

/// All settings of a command, made from its parser, so that no option can be missing.
package struct SettingsTable: Sendable {
    /// The option that names the file of settings. It has no key, because a file does not name itself.
    package static let fileFlag = "--config"
    /// The variable that names the file of settings.
    package static let fileVariable = "MARVEL_CONFIG"

    /// The settings, in the order of the help.
    package let settings: [Setting]
    private let byKey: [String: Setting]
    private let byVariable: [String: Setting]
    private let byFlag: [String: Setting]

    package init(_ settings: [Setting]) {
        self.settings = settings
        byKey = Dictionary(settings.map { ($0.key, $0) }) { first, _ in first }
        byVariable = Dictionary(settings.map { ($0.variable, $0) }) { first, _ in first }
        byFlag = Dictionary(settings.flatMap { setting in setting.flags.map { ($0, setting) } }) { first, _ in first }
    }

    /// Makes the table of a command.
    ///
    /// - Parameter help: The description of the command by its parser, in JSON.
    /// - Throws: `DecodingError` if the text is something else.
    package init(parserHelp help: String) throws {
        let command = try JSONDecoder().decode(ParserHelp.self, from: Data(help.utf8)).command
        self.init(ParserHelp.settings(of: command.arguments ?? []))
    }

    package func setting(key: String) -> Setting? { byKey[key] }
    package func setting(variable: String) -> Setting? { byVariable[variable] }
    package func setting(flag: String) -> Setting? { byFlag[flag] }

    /// Returns the key that was probably meant by an unknown one; nil if none is similar.
    func suggestion(forKey unknown: String) -> String? {
        // A key without its group, or as it is written on the command line or in the environment.
        let plain = Self.plain(unknown)
        let same = settings.first { setting in
            Self.plain(setting.key) == plain || Self.plain(String(setting.flag.dropFirst(2))) == plain
                || setting.key.hasSuffix("." + unknown)
        }
        return same?.key ?? Suggestion.closest(to: unknown, among: settings.map(\.key))
    }

    /// Returns the variable that was probably meant by an unknown one; nil if none is similar.
    func suggestion(forVariable unknown: String) -> String? {
        // Without the prefix that all have, so that only the similarity of the rest counts.
        let rest = String(unknown.dropFirst("MARVEL_".count))
        let meant = Suggestion.closest(
            to: rest,
            among: settings.map { String($0.variable.dropFirst("MARVEL_".count)).lowercased() }
        )
        return meant.map { "MARVEL_" + $0.uppercased() }
    }

    private static func plain(_ name: String) -> String {
        name.filter { $0 != "." && $0 != "-" && $0 != "_" }.lowercased()
    }
}

/// The part of a parser's description of itself that settings are made from.
private struct ParserHelp: Decodable {
    struct Command: Decodable {
        var arguments: [Argument]?
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var name: String
        }

        var kind: String
        var names: [Name]?
        var sectionTitle: String?
        var isRepeating: Bool
        var valueName: String?
        var defaultValue: String?
        var allValues: [String]?
        var abstract: String?

        /// The long name: `log-level`.
        var name: String? { names?.map(\.name).first { $0.count > 1 } }
    }

    var command: Command

    /// The options that every command has, and the one that names the file.
    private static let excluded: Set<String> = ["help", "version", String(SettingsTable.fileFlag.dropFirst(2))]

    static func settings(of arguments: [Argument]) -> [Setting] {
        let names = Set(arguments.compactMap(\.name))
        return arguments.compactMap { argument in
            guard let name = argument.name, !excluded.contains(name) else { return nil }
            // `--no-x` belongs to the setting of `--x`.
            if argument.kind == "flag", name.hasPrefix("no-"), names.contains(String(name.dropFirst(3))) { return nil }
            return Setting(name, argument, negation: names.contains("no-" + name) ? "--no-\(name)" : nil)
        }
    }
}

extension Setting {
    fileprivate init?(_ name: String, _ argument: ParserHelp.Argument, negation: String?) {
        let kind: Kind
        switch argument.kind {
        case "flag": kind = .toggle(negation: negation)
        case "option": kind = argument.isRepeating ? .list : .value
        default: return nil
        }
        let valueName = argument.valueName ?? "value"
        let (help, defaultText) = Self.split(argument.abstract ?? "")
        self.init(
            flag: "--" + name,
            key: SettingNames.key(of: name, section: argument.sectionTitle, valueName: valueName),
            variable: SettingNames.variable(of: name),
            kind: kind,
            valueName: valueName,
            help: help,
            defaultText: argument.defaultValue ?? defaultText,
            choices: argument.allValues ?? []
        )
    }

    /// Splits a help that ends with `(default: …)`, which is how options without a plain default explain it.
    private static func split(_ abstract: String) -> (help: String, defaultText: String) {
        guard let mark = abstract.range(of: "(default: ", options: .backwards), abstract.hasSuffix(")") else {
            return (abstract, "")
        }
        let help = abstract[..<mark.lowerBound].trimmingCharacters(in: .whitespacesAndNewlines)
        return (help, String(abstract[mark.upperBound...].dropLast()))
    }
}
