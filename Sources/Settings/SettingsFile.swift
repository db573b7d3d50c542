internal import Yams

extension SettingsTable {
    /// Reads the settings in the text of a YAML file.
    ///
    /// Groups are mappings: `framed:` with `address:` in it. A key may also be written with its group in one word.
    /// A key without a value counts as absent.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - path: The path of the file, for messages.
    /// - Returns: The values.
    /// - Throws: `SettingsError` with all problems: a text that is not YAML, unknown keys, values of the wrong kind.
    package func given(inFile text: String, path: String) throws(SettingsError) -> [GivenSetting] {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw SettingsError([Self.problem(error, path)])
        }
        var reading = FileReading(table: self, path: path)
        switch root {
        case .mapping(let mapping): reading.read(mapping, prefix: "")
        case .some(let node) where !node.isAbsent:
            reading.problem(node, "The file is a mapping of settings: capacity: 5.")
        case .some, nil: break
        }
        guard reading.problems.isEmpty else { throw SettingsError(reading.problems) }
        return reading.found
    }

    private static func problem(_ error: any Error, _ path: String) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return "\(path), line \(mark.line): This is not YAML: \(problem)."
        case .duplicatedKeysInMapping(let keys, let context):
            return "\(path), line \(context.mark.line): The key \(keys.joined(separator: ", ")) is there twice."
        case .reader(let problem, _, _, _):
            return "\(path): This is not YAML: \(problem)."
        default:
            return "\(path): This is not YAML."
        }
    }
}

/// The state of reading a file: what was found so far, and what is wrong.
private struct FileReading {
    let table: SettingsTable
    let path: String
    var found: [GivenSetting] = []
    var problems: [String] = []

    mutating func problem(_ node: Node, _ text: String) {
        problems.append("\(path), line \(node.mark?.line ?? 1): \(text)")
    }

    mutating func read(_ mapping: Node.Mapping, prefix: String) {
        for (keyNode, value) in mapping {
            guard let name = keyNode.scalar?.string else {
                problem(keyNode, "A key is a word.")
                continue
            }
            let key = prefix + name
            if let setting = table.setting(key: key) {
                read(value, of: setting, at: keyNode)
            } else if case .mapping(let inner) = value {
                read(inner, prefix: key + ".")
            } else if !(value.isAbsent && isGroup(key)) {
                let meant =
                    table.key(formerly: key).map { " is now \($0)." }
                    ?? table.suggestion(forKey: key).map { ": did you mean \($0)?" } ?? ": there is no such setting."
                problem(keyNode, "\(key)\(meant)")
            }
        }
    }

    private func isGroup(_ key: String) -> Bool { table.settings.contains { $0.key.hasPrefix(key + ".") } }

    private mutating func read(_ value: Node, of setting: Setting, at keyNode: Node) {
        if value.isAbsent { return }
        guard !found.contains(where: { $0.setting == setting }) else {
            return problem(keyNode, "\(setting.key) is there twice.")
        }
        guard let texts = texts(value, of: setting) else {
            return problem(keyNode, "\(setting.key) \(Self.rule(setting))")
        }
        let source = GivenSetting.Source.file(path: path, line: keyNode.mark?.line ?? 1)
        found.append(GivenSetting(setting, texts, from: source))
    }

    /// Returns the values of a setting as they are written; nil if the kind of value is wrong.
    private func texts(_ value: Node, of setting: Setting) -> [String]? {
        switch (value, setting.kind) {
        case (.scalar(let scalar), .toggle): GivenSetting.toggle(scalar.string).map { [$0] }
        case (.scalar(let scalar), _): [scalar.string]
        case (.sequence(let sequence), .list): sequence.allScalars
        default: nil
        }
    }

    private static func rule(_ setting: Setting) -> String {
        switch setting.kind {
        case .toggle: "must be true or false."
        case .value: "takes one value."
        case .list: "takes a value, or a list of values."
        }
    }
}

extension Node {
    /// Whether it is a key's missing value.
    fileprivate var isAbsent: Bool {
        guard case .scalar(let scalar) = self, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null"].contains(scalar.string)
    }
}

extension Node.Sequence {
    /// The texts of the elements; nil if an element is no scalar.
    fileprivate var allScalars: [String]? {
        let texts = compactMap { $0.scalar?.string }
        return texts.count == count ? texts : nil
    }
}
