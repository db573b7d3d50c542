internal import Yams

extension SettingsTable {
    /// A group is a mapping, or part of the key. A key without a value counts as absent. `path` is for messages.
    ///
    /// The values are not checked yet. `SettingsError` has all problems.
    package func given(inFile text: String, path: String) throws(SettingsError) -> [GivenSetting] {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw SettingsError([Self.problem(error, path)])
        }
        var reading = FileReading(self, path: path)
        switch root {
        case .mapping(let mapping): reading.read(mapping, prefix: "")
        case .some(let node) where !node.isAbsent:
            reading.problem(node, "The file must be a mapping of settings, such as capacity: 5.")
        case .some, nil: break
        }
        guard reading.problems.isEmpty else { throw SettingsError(reading.problems) }
        return reading.found
    }

    private static func problem(_ error: any Error, _ path: String) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return "\(path), line \(mark.line): Invalid YAML: \(problem)."
        case .duplicatedKeysInMapping(let keys, let context):
            return "\(path), line \(context.mark.line): Duplicate key \(keys.joined(separator: ", "))."
        case .reader(let problem, _, _, _):
            return "\(path): Invalid YAML: \(problem)."
        default:
            return "\(path): Invalid YAML."
        }
    }
}

private struct FileReading<Values: SettingValues> {
    private let table: SettingsTable<Values>
    private let path: String
    private(set) var found: [GivenSetting] = []
    private(set) var problems: [String] = []

    init(_ table: SettingsTable<Values>, path: String) { (self.table, self.path) = (table, path) }

    mutating func problem(_ node: Node, _ text: String) {
        problems.append("\(path), line \(node.mark?.line ?? 1): \(text)")
    }

    mutating func read(_ mapping: Node.Mapping, prefix: String) {
        for (keyNode, value) in mapping {
            guard let name = keyNode.scalar?.string else {
                problem(keyNode, "A key must be a word.")
                continue
            }
            let key = prefix + name
            if let setting = table.setting(key: key) {
                read(value, of: setting, at: keyNode)
            } else if case .mapping(let inner) = value {
                read(inner, prefix: key + ".")
            } else if !(value.isAbsent && isGroup(key)) {
                let meant = table.suggestion(for: key).map { ": did you mean \($0)?" } ?? ": unknown setting."
                problem(keyNode, "\(key)\(meant)")
            }
        }
    }

    private func isGroup(_ key: String) -> Bool { table.settings.contains { $0.key.hasPrefix(key + ".") } }

    private mutating func read(_ value: Node, of setting: Setting<Values>, at keyNode: Node) {
        if value.isAbsent { return }
        guard !found.contains(where: { $0.key == setting.key }) else {
            return problem(keyNode, "\(setting.key) is set twice.")
        }
        guard let texts = texts(value, of: setting) else {
            let rule = setting.kind == .list ? "takes a value, or a list of values" : "takes one value"
            return problem(keyNode, "\(setting.key) \(rule).")
        }
        let source = GivenSetting.Source.file(path: path, line: keyNode.mark?.line ?? 1)
        found.append(GivenSetting(setting.key, texts, from: source))
    }

    private func texts(_ value: Node, of setting: Setting<Values>) -> [String]? {
        switch (value, setting.kind) {
        case (.scalar(let scalar), _): [scalar.string]
        case (.sequence(let sequence), .list): sequence.allScalars
        default: nil
        }
    }
}

extension Node {
    fileprivate var isAbsent: Bool {
        guard case .scalar(let scalar) = self, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null"].contains(scalar.string)
    }
}

extension Node.Sequence {
    fileprivate var allScalars: [String]? {
        let texts = compactMap { $0.scalar?.string }
        return texts.count == count ? texts : nil
    }
}
