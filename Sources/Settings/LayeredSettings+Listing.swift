extension LayeredSettings {
    /// A line of the list of all settings.
    package struct Row: Sendable, Hashable {
        package let key: String
        package let value: String
        package let source: String
    }

    /// Lists every setting with its value and its source, and then the variables with another meaning that are set.
    /// Secrets are masked.
    ///
    /// - Parameter environment: Variables by name.
    /// - Returns: The lines.
    package func rows(environment: [String: String]) -> [Row] {
        let settings = table.settings.map { setting in
            let value = given[setting.flag]
            let text = value.map { $0.texts.joined(separator: ", ") } ?? setting.defaultValue ?? setting.defaultText
            return Row(
                key: setting.key,
                value: value != nil && setting.isSecret ? Self.mask : text.isEmpty ? "-" : masked(text),
                source: value.map { "\($0.source)" } ?? "default"
            )
        }
        let others = SettingsTable.otherVariables.sorted().compactMap { name -> Row? in
            guard let text = environment[name], !text.isEmpty else { return nil }
            return Row(key: name, value: Setting.isSecret(name: name) ? Self.mask : text, source: "environment")
        }
        return settings + others
    }

    /// The list as a table for people.
    package func listing(environment: [String: String]) -> String {
        let rows = rows(environment: environment)
        let widths = (rows.map(\.key.count).max() ?? 0, min(rows.map(\.value.count).max() ?? 0, 40))
        return rows.map { row in
            "\(row.key.padded(to: widths.0))  \(row.value.padded(to: widths.1))  \(row.source)\n"
        }.joined()
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
