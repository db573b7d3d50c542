@testable import Settings

extension SettingsTable {
    /// A parser's description of a command with an option of each kind.
    static let exampleHelp = """
        {"serializationVersion": 0, "command": {"commandName": "serve", "arguments": [
          {"kind": "positional", "valueName": "path", "isRepeating": false},
          {"kind": "option", "names": [{"kind": "long", "name": "config"}], "valueName": "file", "isRepeating": false},
          {"kind": "option", "names": [{"kind": "long", "name": "framed"}], "valueName": "address",
           "isRepeating": true,
           "abstract": "Where to listen (a port). (default: 127.0.0.1:6160, or a socket)"},
          {"kind": "flag", "names": [{"kind": "long", "name": "reflection"}], "isRepeating": false,
           "abstract": "Whether services are listed. (default: on, if it is local)"},
          {"kind": "flag", "names": [{"kind": "long", "name": "no-reflection"}], "isRepeating": false},
          {"kind": "flag", "names": [{"kind": "long", "name": "allow-edits"}], "isRepeating": false,
           "abstract": "Let clients edit characters, which is a text that is long enough to be wrapped, because a line of \
        a sample has at most 120 letters."},
          {"kind": "option", "names": [{"kind": "long", "name": "capacity"}], "valueName": "capacity",
           "isRepeating": false, "defaultValue": "5", "abstract": "Favorites of a list."},
          {"kind": "option", "names": [{"kind": "long", "name": "store"}], "valueName": "file", "isRepeating": false},
          {"kind": "option", "names": [{"kind": "long", "name": "log-level"}, {"kind": "short", "name": "l"}],
           "valueName": "level", "isRepeating": false, "defaultValue": "info", "allValues": ["debug", "info"]},
          {"kind": "option", "names": [{"kind": "long", "name": "max-streams"}], "valueName": "max-streams",
           "isRepeating": false, "sectionTitle": "Limits", "defaultValue": "128"},
          {"kind": "option", "names": [{"kind": "long", "name": "idle-timeout"}], "valueName": "time",
           "isRepeating": false, "sectionTitle": "Limits", "abstract": "Silence. (default: 900s)"},
          {"kind": "option", "names": [{"kind": "long", "name": "tls-key"}], "valueName": "file", "isRepeating": false,
           "sectionTitle": "TLS"},
          {"kind": "option", "names": [{"kind": "long", "name": "signing-key"}], "valueName": "text",
           "isRepeating": false},
          {"kind": "option", "names": [{"kind": "long", "name": "tokens"}], "valueName": "file", "isRepeating": false},
          {"kind": "flag", "names": [{"kind": "long", "name": "help"}], "isRepeating": false},
          {"kind": "flag", "names": [{"kind": "long", "name": "version"}], "isRepeating": false}
        ]}}
        """

    static let example = parsedExample()

    private static func parsedExample() -> SettingsTable {
        do {
            return try SettingsTable(parserHelp: exampleHelp)
        } catch {
            preconditionFailure("the example is wrong: \(error)")
        }
    }

    /// Returns a value that a setting of the example was given.
    func value(_ flag: String, _ texts: String..., from source: GivenSetting.Source) -> GivenSetting {
        guard let setting = setting(flag: flag) else { preconditionFailure("the example has no \(flag)") }
        return GivenSetting(setting, texts, from: source)
    }
}
