extension SettingsTable {
    /// Finds the settings that a command line gives, without checking their values.
    ///
    /// - Parameter arguments: The arguments of the command, without its name.
    /// - Returns: One value for each setting, and the path after `--config`.
    package func given(on arguments: [String]) -> (settings: [GivenSetting], file: String?) {
        var found: [GivenSetting] = []
        var file: String?
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let flag = parts[0]
            let isFile = flag == Self.fileFlag
            guard isFile || setting(flag: flag) != nil else { continue }
            if let setting = setting(flag: flag), case .toggle = setting.kind {
                let text = flag == setting.flag ? "true" : "false"
                Self.add(GivenSetting(setting, [text], from: .commandLine(flag: flag)), to: &found)
                continue
            }
            // The parser reports an option without a value.
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else { continue }
            if isFile {
                file = value
            } else if let setting = setting(flag: flag) {
                Self.add(GivenSetting(setting, [value], from: .commandLine(flag: flag)), to: &found)
            }
        }
        return (found, file)
    }

    /// Adds a value: behind the ones that a list has already, in place of any other.
    private static func add(_ given: GivenSetting, to found: inout [GivenSetting]) {
        guard let index = found.firstIndex(where: { $0.setting == given.setting }) else { return found.append(given) }
        found[index].texts = given.setting.kind == .list ? found[index].texts + given.texts : given.texts
    }
}
