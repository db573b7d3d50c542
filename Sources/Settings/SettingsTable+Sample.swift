extension SettingsTable {
    /// Makes a file that has every setting, commented out, with its default and its help.
    ///
    /// - Parameter program: The name of the program that reads it.
    /// - Returns: The text of the file.
    package func sample(for program: String) -> String {
        var lines = [
            "# The settings of \(program), each with its default. Remove the # in front of a key to set it.",
            "#",
            "# A variable of the environment takes precedence over this file, and an option of the command line over both:",
            "# limits.max-streams is also MARVEL_MAX_STREAMS and --max-streams. `\(program) config` shows every value and",
            "# its source, `\(program) config --check` checks them.",
        ]
        let groups = Dictionary(grouping: settings) { Self.group(of: $0) }
        for setting in groups[""] ?? [] { lines += Self.entry(setting, indent: "") }
        var written: Set<String> = [""]
        for setting in settings where written.insert(Self.group(of: setting)).inserted {
            let group = Self.group(of: setting)
            lines += ["", "\(group):"]
            for (number, member) in (groups[group] ?? []).enumerated() {
                let entry = Self.entry(member, indent: "  ")
                lines += number == 0 ? Array(entry.dropFirst()) : entry
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A table in Markdown with the names of every setting.
    package var reference: String {
        let rows = settings.map { "| `\($0.key)` | `\($0.variable)` | `\($0.flag)` |" }
        return (["| key | variable | option |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }

    private static func group(of setting: Setting) -> String {
        setting.key.contains(".") ? String(setting.key.prefix { $0 != "." }) : ""
    }

    private static func entry(_ setting: Setting, indent: String) -> [String] {
        var help = setting.help
        if !setting.choices.isEmpty, !setting.choices.allSatisfy(help.contains) {
            help += " One of \(setting.choices.joined(separator: ", "))."
        }
        if setting.defaultValue == nil {
            help += " Default: \(setting.defaultText.isEmpty ? "none" : setting.defaultText)."
        }
        let name = setting.key.contains(".") ? setting.key.drop { $0 != "." }.dropFirst() : setting.key[...]
        let value = setting.defaultValue ?? (setting.isToggle ? "true" : "<\(setting.valueName)>")
        return [""] + wrapped(help, width: 116 - indent.count).map { "\(indent)# \($0)" } + [
            "\(indent)#\(name): \(value)"
        ]
    }

    /// Splits a text into lines of at most that width, unless a word is longer.
    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines = [""]
        for word in text.split(whereSeparator: \.isWhitespace) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + word.count < width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
