extension SettingsTable {
    /// Former names of options, and their present ones. A former name is refused everywhere, because a server that ignores
    /// an address would listen elsewhere.
    private static let renamedOptions = [
        "framed-address": "framed", "grpc-address": "http", "operations-address": "operations",
    ]

    /// Returns the problem with the first option that has another name now; nil if there is none.
    package static func problem(onCommandLine words: [String]) -> String? {
        for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
            let name = word.dropFirst(2).prefix { $0 != "=" }
            if let now = renamedOptions[String(name)] { return "--\(name) is now --\(now)." }
        }
        return nil
    }

    /// Returns the present name of a variable; nil if it never had another one.
    func variable(formerly name: String) -> String? {
        Self.renamedOptions.first { SettingNames.variable(of: $0.key) == name }
            .map { SettingNames.variable(of: $0.value) }
    }

    /// Returns the present key of a setting that a file names as it was called before; nil if it never had another key.
    func key(formerly unknown: String) -> String? {
        Self.renamedOptions.first { $0.key.replacing("-", with: ".") == unknown.replacing("-", with: ".") }
            .flatMap { setting(flag: "--\($0.value)")?.key }
    }
}
