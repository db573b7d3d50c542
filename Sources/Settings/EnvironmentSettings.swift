extension SettingsTable {
    /// The variables that are read elsewhere: keys of a gateway, and those of the client.
    package static let otherVariables: Set<String> = [
        "MARVEL_CONFIG", "MARVEL_KEYS_FILE", "MARVEL_PRIVATE_KEY", "MARVEL_PRIVATE_KEY_FILE", "MARVEL_PUBLIC_KEY",
        "MARVEL_SERVER", "MARVEL_TOKEN", "MARVEL_TOKEN_FILE",
    ]

    /// Returns whether Kubernetes makes variables with this name's ending for every service, whatever its name.
    private static func isServiceLink(_ name: String) -> Bool {
        name.contains(/(_SERVICE_HOST|_SERVICE_PORT(_[A-Z0-9_]+)?|_PORT(_\d+_(TCP|UDP|SCTP).*)?)$/)
    }

    /// Finds the settings in the environment. An empty variable counts as absent. Commas separate the values of a list.
    ///
    /// - Parameter environment: Variables by name.
    /// - Returns: The values, and a warning for each variable that begins with `MARVEL_` and has no meaning.
    /// - Throws: `SettingsError` if a toggle has another value than `true` and `false`, or a variable another name now.
    package func given(
        inEnvironment environment: [String: String]
    ) throws(SettingsError) -> (settings: [GivenSetting], warnings: [String]) {
        var (found, warnings, problems) = ([GivenSetting](), [String](), [String]())
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("MARVEL_") {
            guard let setting = setting(variable: name) else {
                if let now = variable(formerly: name) {
                    if !text.isEmpty { problems.append("\(name) is now \(now).") }
                } else if !Self.otherVariables.contains(name), !Self.isServiceLink(name) {
                    warnings.append(warning(about: name))
                }
                continue
            }
            if text.isEmpty { continue }
            switch setting.kind {
            case .toggle:
                guard let toggle = GivenSetting.toggle(text) else {
                    problems.append("\(name) is \(text), it must be true or false.")
                    continue
                }
                found.append(GivenSetting(setting, [toggle], from: .environment(variable: name)))
            case .value:
                found.append(GivenSetting(setting, [text], from: .environment(variable: name)))
            case .list:
                let texts = text.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
                found.append(GivenSetting(setting, texts, from: .environment(variable: name)))
            }
        }
        guard problems.isEmpty else { throw SettingsError(problems) }
        return (found, warnings)
    }

    private func warning(about name: String) -> String {
        let meant = suggestion(forVariable: name).map { ": did you mean \($0)?" } ?? "."
        return "The variable \(name) has no meaning\(meant)"
    }
}
