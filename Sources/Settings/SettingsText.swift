internal import MarvelDomain
internal import TerminalUI

extension SettingsTable {
    /// Every setting is commented out, with its default and its help. `program` is the name of the reader.
    package func sample(for program: String) -> String {
        let head = """
            # The settings of \(program), each with its default. Remove the # in front of a key to set it.
            #
            # Environment variables override this file, and the command line overrides both:
            # limits.max-streams is also MARVEL_MAX_STREAMS and --set limits.max-streams=N. `\(program) config` shows every
            # value and its source, `\(program) config --check` checks them. A running server reloads the settings marked
            # (reload) on SIGHUP.
            """
        let text = yaml { setting, indent in
            [""] + setting.explanation.wrapped(toWidth: 116 - indent.count).map { "\(indent)# \($0)" }
                + ["\(indent)#\(setting.lastName): \(Self.scalar(setting.defaultValue ?? "<\(setting.valueName)>"))"]
        }
        return "\(head)\n\(text)"
    }

    /// Each given setting has its source; the others are comments. Read as a file, it gives the same values.
    package func listing(_ settings: LayeredSettings<Values>) -> String {
        yaml { setting, indent in
            guard let given = settings.given[setting.key] else {
                return ["\(indent)#\(setting.lastName): \(setting.defaultText)  # default"]
            }
            let texts = given.texts.map(Self.scalar)
            let value = setting.kind == .list ? "[\(texts.joined(separator: ", "))]" : texts.last ?? ""
            let shown = URLUserInfo.masked(value)
            // A password is not repeated, so the line would not give the value again.
            return ["\(indent)\(shown == value ? "" : "#")\(setting.lastName): \(shown)  # \(given.source)"]
        }
    }

    package var reference: String {
        func cell(_ text: String) -> String { text.replacing(/[|<>*]/) { "\\\($0.output)" } }
        let rows = settings.map {
            "| `\($0.key)` | `\($0.variable)` | \(cell($0.defaultText)) | \(cell($0.helpWithBounds)) |"
        }
        return (["| key | variable | default | meaning |", "|---|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }

    private func yaml(_ lines: (_ setting: Setting<Values>, _ indent: String) -> [String]) -> String {
        let groups = Dictionary(grouping: settings, by: \.group)
        var text = groups["", default: []].flatMap { lines($0, "") }
        var written: Set<String> = [""]
        for group in settings.map(\.group) where written.insert(group).inserted {
            text += ["", "\(group):"]
            for (number, setting) in groups[group, default: []].enumerated() {
                let entry = lines(setting, "  ")
                text += number == 0 && entry.first == "" ? Array(entry.dropFirst()) : entry
            }
        }
        return text.joined(separator: "\n") + "\n"
    }

    /// In quotation marks if it is ambiguous.
    private static func scalar(_ text: String) -> String {
        let isPlain = text.wholeMatch(of: /[A-Za-z0-9_.\/<][A-Za-z0-9_.\/@:+=|<>~-]*/) != nil
        guard isPlain, !text.hasSuffix(":"), text.lowercased() != "null" else {
            var quoted = JSONWriter()
            quoted.string(text)
            return quoted.text
        }
        return text
    }
}

extension Setting {
    fileprivate var group: String { key.contains(".") ? String(key.prefix { $0 != "." }) : "" }

    fileprivate var lastName: Substring { key.contains(".") ? key.drop { $0 != "." }.dropFirst() : key[...] }

    fileprivate var helpWithBounds: String {
        let facts = [bounds, isReloaded ? "reload" : nil].compactMap(\.self)
        return facts.isEmpty ? help : "\(help) (\(facts.joined(separator: "; ")))"
    }

    fileprivate var explanation: String {
        defaultValue == nil ? "\(helpWithBounds) Default: \(defaultText)." : helpWithBounds
    }
}
