/// The keys of a group are adjacent.
package struct SettingsTable<Values: SettingValues>: Sendable {
    package let settings: [Setting<Values>]
    private let byKey: [String: Setting<Values>]
    private let byVariable: [String: Setting<Values>]

    package init(_ settings: [Setting<Values>]) {
        self.settings = settings
        byKey = Dictionary(settings.map { ($0.key, $0) }) { first, _ in first }
        byVariable = Dictionary(settings.map { ($0.variable, $0) }) { first, _ in first }
    }

    package func setting(key: String) -> Setting<Values>? { byKey[key] }
    func setting(variable: String) -> Setting<Values>? { byVariable[variable] }

    package func suggestion(for unknown: String) -> String? {
        // A key without its group, or in the form of the command line or the environment.
        let plain = Self.plain(unknown)
        let same = settings.first { setting in
            Self.plain(setting.key) == plain || Self.plain(setting.name) == plain
                || setting.key.hasSuffix("." + unknown)
        }
        if let same { return same.key }
        if let key = Suggestion.closest(to: unknown, among: settings.map(\.key)) { return key }
        let name = Suggestion.closest(to: unknown, among: settings.map(\.name))
        return settings.first { $0.name == name }?.key
    }

    func suggestion(forVariable unknown: String) -> String? {
        // Without the common prefix, so that only the similarity of the rest counts.
        let rest = unknown.dropFirst("MARVEL_".count).lowercased().replacing("_", with: "-")
        let name = Suggestion.closest(to: rest, among: settings.map(\.name))
        return settings.first { $0.name == name }?.variable
    }

    private static func plain(_ name: String) -> String {
        name.filter { $0 != "." && $0 != "-" && $0 != "_" }.lowercased()
    }

    /// `limits.max-streams=64`. Commas separate the values of a list; a list that is set again gets more values.
    package func given(inAssignments texts: [String]) throws(SettingsError) -> [GivenSetting] {
        var (found, problems) = ([GivenSetting](), [String]())
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let setting = setting(key: parts[0]), parts.count == 2 else {
                let meant = suggestion(for: parts[0]).map { ": did you mean --set \($0)=...?" }
                problems.append(
                    "--set \(parts[0])\(meant ?? ": unknown setting; `marvel-server config` lists all.")"
                )
                continue
            }
            guard !parts[1].isEmpty else {
                problems.append("--set \(parts[0])= has no value: write --set KEY=VALUE.")
                continue
            }
            let given = Self.given(setting, parts[1], from: .commandLine(flag: "--set"))
            if setting.kind == .list, let index = found.firstIndex(where: { $0.key == setting.key }) {
                found[index].texts += given.texts
            } else {
                found.append(given)
            }
        }
        guard problems.isEmpty else { throw SettingsError(problems, isUsage: true) }
        return found
    }

    private static func given(
        _ setting: Setting<Values>,
        _ text: String,
        from source: GivenSetting.Source
    ) -> GivenSetting {
        guard setting.kind == .list else { return GivenSetting(setting.key, [text], from: source) }
        let texts = text.split(separator: ",").map { String($0.trimmingPrefix { $0 == " " }) }
        return GivenSetting(setting.key, texts, from: source)
    }

    /// An empty variable counts as absent. Returns a warning for each variable that begins with `MARVEL_` and has no
    /// meaning.
    package func given(
        inEnvironment environment: [String: String]
    ) -> (settings: [GivenSetting], warnings: [String]) {
        var (found, warnings) = ([GivenSetting](), [String]())
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("MARVEL_") {
            if let setting = setting(variable: name) {
                if !text.isEmpty { found.append(Self.given(setting, text, from: .environment(variable: name))) }
            } else if !SettingsEnvironment.otherVariables.contains(name), !SettingsEnvironment.isServiceLink(name) {
                let meant = suggestion(forVariable: name).map { ": did you mean \($0)?" } ?? "."
                warnings.append("Unknown variable \(name)\(meant)")
            }
        }
        return (found, warnings)
    }
}

package enum SettingsEnvironment {
    package static let file = "MARVEL_CONFIG"

    package static let otherVariables: Set<String> = [
        file, "MARVEL_KEYS_FILE", "MARVEL_PRIVATE_KEY", "MARVEL_PRIVATE_KEY_FILE", "MARVEL_PUBLIC_KEY",
        "MARVEL_SERVER", "MARVEL_TOKEN", "MARVEL_TOKEN_FILE", "MARVEL_TOKEN_IN_CLEAR",
    ]

    /// Kubernetes makes such variables for every service, whatever its name.
    static func isServiceLink(_ name: String) -> Bool {
        name.contains(/(_SERVICE_HOST|_SERVICE_PORT(_[A-Z0-9_]+)?|_PORT(_\d+_(TCP|UDP|SCTP).*)?)$/)
    }
}
