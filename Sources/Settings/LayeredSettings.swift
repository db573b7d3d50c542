/// The values of all settings, each from the source that takes precedence: the command line, then the environment, then
/// the file.
package struct LayeredSettings: Sendable {
    package let table: SettingsTable
    /// The values by option. A setting that no source gives is not there.
    package let given: [String: GivenSetting]
    /// The file that was read; nil if there is none.
    package let file: String?

    /// - Parameters:
    ///   - table: All settings.
    ///   - file: The path of the file; nil if there is none.
    ///   - sources: The values of each source. A later source takes precedence; a list replaces the list of an earlier
    ///     one.
    package init(_ table: SettingsTable, file: String? = nil, sources: [[GivenSetting]]) {
        self.table = table
        self.file = file
        var given: [String: GivenSetting] = [:]
        for value in sources.joined() { given[value.setting.flag] = value }
        self.given = given
    }

    private init(_ table: SettingsTable, _ given: [String: GivenSetting], file: String?) {
        (self.table, self.given, self.file) = (table, given, file)
    }

    /// The arguments for the parser that stand for values of the environment and the file.
    package var arguments: [String] {
        table.settings.compactMap { given[$0.flag] }.filter { !$0.isOnCommandLine }.flatMap(\.arguments)
    }

    /// Returns a message of the parser with the names by which the values were given.
    ///
    /// - Parameter message: A message that names an option: `--capacity is 500, it must be 1 to 100.`
    /// - Returns: The message with the place of the value: `config.yaml, line 3: capacity is 500, …`; nil if it is only
    ///   about the command line.
    package func explained(_ message: String) -> String? {
        var (text, isExplained) = (message, false)
        for value in given.values where !value.isOnCommandLine {
            for flag in value.setting.flags {
                let range = Self.range(of: flag, in: text)
                guard let range else { continue }
                // The parser writes the option with the word for its value: '--capacity <capacity>'.
                text.replaceSubrange(range, with: value.nameInMessages)
                text = text.replacing(
                    "\(value.nameInMessages) <\(value.setting.valueName)>",
                    with: value.nameInMessages
                )
                isExplained = true
            }
        }
        return isExplained ? masked(text) : nil
    }

    /// Returns a text without the secrets in it: values that are secrets, and passwords in URLs.
    func masked(_ text: String) -> String {
        let secrets = given.values.filter(\.setting.isSecret).flatMap(\.texts).filter { !$0.isEmpty }
        return secrets.reduce(text) { $0.replacing($1, with: Self.mask) }
            .replacing(/\/\/[^\/@\s]*@/, with: "//\(Self.mask)@")
    }

    static let mask = "***"

    /// Finds an option as a whole word: `--store` is not in `--store-size`.
    private static func range(of flag: String, in text: String) -> Range<String.Index>? {
        text.ranges(of: flag).first { range in
            let next = range.upperBound < text.endIndex ? text[range.upperBound] : " "
            return !(next.isLetter || next.isNumber || next == "-")
        }
    }

    /// Returns these settings with the values that some of them have in other settings.
    func replacing(_ settings: [Setting], from other: LayeredSettings) -> LayeredSettings {
        var given = given
        for setting in settings { given[setting.flag] = other.given[setting.flag] }
        return LayeredSettings(table, given, file: file)
    }

    /// Returns the settings whose values differ from those of other settings.
    package func changes(from old: LayeredSettings) -> [Setting] {
        table.settings.filter { given[$0.flag]?.texts != old.given[$0.flag]?.texts }
    }
}

extension GivenSetting {
    fileprivate var isOnCommandLine: Bool {
        if case .commandLine = source { true } else { false }
    }
}
