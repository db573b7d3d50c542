internal import MarvelDomain

package struct GivenSetting: Sendable, Hashable {
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

        var isCommandLine: Bool { if case .commandLine = self { true } else { false } }

        func name(ofKey key: String) -> String {
            switch self {
            case .file(let path, let line): "\(path), line \(line): \(key)"
            case .environment(let variable): variable
            case .commandLine("--set"): "--set \(key)"
            case .commandLine(let flag): flag
            }
        }
    }

    package let key: String
    /// As written; one, unless the setting is a list.
    package var texts: [String]
    package let source: Source

    package init(_ key: String, _ texts: [String], from source: Source) {
        (self.key, self.texts, self.source) = (key, texts, source)
    }
}

package struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    package let problems: [String]
    /// Whether only the command line is wrong.
    package let isUsage: Bool

    package init(_ problems: [String], isUsage: Bool = false) {
        (self.problems, self.isUsage) = (problems, isUsage)
    }

    package var description: String { problems.joined(separator: "\n") }
}

/// The command line takes precedence, then the environment, then the file.
package struct LayeredSettings<Values: SettingValues>: Sendable {
    package let table: SettingsTable<Values>
    package let given: [String: GivenSetting]
    package let values: Values

    /// A later source takes precedence; its list replaces the list of an earlier one. The error has every value that
    /// breaks a rule.
    package init(_ table: SettingsTable<Values>, sources: [[GivenSetting]]) throws(SettingsError) {
        let given = Dictionary(sources.joined().map { ($0.key, $0) }) { _, later in later }
        var values = Values()
        var refused: [(given: GivenSetting, rule: String)] = []
        for setting in table.settings {
            guard let value = given[setting.key] else { continue }
            do throws(SettingRefusal) {
                try setting.assign(value.texts, to: &values)
            } catch {
                refused.append((value, error.rule))
            }
        }
        guard refused.isEmpty else {
            throw SettingsError(
                refused.map { given, rule in
                    "\(given.source.name(ofKey: given.key)) is \(URLUserInfo.masked(given.texts.joined(separator: ", "))); \(rule)."
                },
                isUsage: refused.allSatisfy(\.given.source.isCommandLine)
            )
        }
        guard values.contradictions.isEmpty else {
            throw SettingsError(values.contradictions, isUsage: given.values.allSatisfy(\.source.isCommandLine))
        }
        (self.table, self.given, self.values) = (table, given, values)
    }

    package func changes(from old: LayeredSettings) -> [Setting<Values>] {
        table.settings.filter { given[$0.key]?.texts != old.given[$0.key]?.texts }
    }

    package func reloading(_ new: LayeredSettings) throws(SettingsError) -> LayeredSettings {
        var taken = given
        for change in new.changes(from: self) where change.isReloaded { taken[change.key] = new.given[change.key] }
        return try LayeredSettings(table, sources: [Array(taken.values)])
    }
}
