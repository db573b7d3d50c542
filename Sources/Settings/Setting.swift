internal import MarvelDomain

/// The initial values are the defaults.
package protocol SettingValues: Sendable {
    init()

    var contradictions: [String] { get }
}

/// The file, the environment, `--set`, the help, the sample and the manual use this.
package struct Setting<Values: SettingValues>: Sendable {
    package enum Kind: Sendable, Hashable {
        case toggle
        case value
        /// In a variable and after `--set`, commas separate the values.
        case list
    }

    package typealias Path<Value> = any WritableKeyPath<Values, Value> & Sendable

    /// The key with its group: `limits.max-streams`.
    package let key: String
    /// Unique, also of the flag, if any: `max-streams`.
    package private(set) var name: String
    package let kind: Kind
    package let valueName: String
    package private(set) var help = ""
    /// `1 to 100`; nil if all values of its type are allowed.
    package let bounds: String?
    package private(set) var isReloaded = false
    /// A default in words, if it cannot be written in a file.
    private var explainedDefault: String?
    private let assign: @Sendable (inout Values, [String]) throws(SettingRefusal) -> Void
    private let read: @Sendable (Values) -> String?

    /// `MARVEL_MAX_STREAMS`.
    package var variable: String { "MARVEL_" + name.uppercased().replacing("-", with: "_") }

    /// Nil if it cannot be written in a file.
    package var defaultValue: String? { explainedDefault == nil ? read(Values()) : nil }

    package var defaultText: String { explainedDefault ?? defaultValue ?? "none" }

    /// `texts` are as written; one, unless the setting is a list.
    func assign(_ texts: [String], to values: inout Values) throws(SettingRefusal) { try assign(&values, texts) }

    private init(
        _ key: String,
        _ kind: Kind,
        _ valueName: String,
        bounds: String? = nil,
        assign: @escaping @Sendable (inout Values, [String]) throws(SettingRefusal) -> Void,
        read: @escaping @Sendable (Values) -> String?
    ) {
        self.key = key
        self.name = Self.name(of: key)
        self.kind = kind
        self.valueName = valueName
        self.bounds = bounds
        self.assign = assign
        self.read = read
    }

    /// The group stays if the rest would be ambiguous (`tls.key` is `tls-key`). Others are dropped.
    private static func name(of key: String) -> String {
        let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return key }
        if parts[1] == "address" { return parts[0] }
        return ["cors", "log", "tls"].contains(parts[0]) ? parts.joined(separator: "-") : parts[1]
    }
}

/// The end of a sentence: `it must be 1 to 100`.
package struct SettingRefusal: Error, Sendable, Hashable {
    package let rule: String

    package init(_ rule: String) { self.rule = rule }
}

// MARK: The columns of a row

extension Setting {
    package func help(_ text: String) -> Setting { with { $0.help = text } }

    package func byDefault(_ text: String) -> Setting { with { $0.explainedDefault = text } }

    package func named(_ name: String) -> Setting { with { $0.name = name } }

    package var reloaded: Setting { with { $0.isReloaded = true } }

    private func with(_ change: (inout Setting) -> Void) -> Setting {
        var setting = self
        change(&setting)
        return setting
    }
}

// MARK: The types of values

extension Setting {
    package static func value<Value>(
        _ key: String,
        _ path: Path<Value>,
        _ valueName: String,
        kind: Kind = .value,
        bounds: String? = nil,
        parse: @escaping @Sendable (String) throws(SettingRefusal) -> Value,
        text: @escaping @Sendable (Value) -> String?
    ) -> Setting {
        Setting(key, kind, valueName, bounds: bounds) { (values, texts) throws(SettingRefusal) in
            values[keyPath: path] = try parse(texts.last ?? "")
        } read: {
            text($0[keyPath: path])
        }
    }

    package static func number<Number: FixedWidthInteger & Sendable>(
        _ key: String,
        _ path: Path<Number>,
        _ range: ClosedRange<Number>,
        unit: String = "count"
    ) -> Setting {
        value(key, path, unit, bounds: bounds(range)) { (text) throws(SettingRefusal) in
            try number(text, in: range)
        } text: {
            String($0)
        }
    }

    /// Nil by default.
    package static func number(_ key: String, _ path: Path<Int?>, _ range: ClosedRange<Int>) -> Setting {
        value(key, path, "count", bounds: bounds(range)) { (text) throws(SettingRefusal) in
            try number(text, in: range)
        } text: {
            $0.map { String($0) }
        }
    }

    private static func number<Number: FixedWidthInteger>(
        _ text: String,
        in range: ClosedRange<Number>
    ) throws(SettingRefusal) -> Number {
        guard let number = Number(text), range.contains(number) else {
            throw SettingRefusal("it must be \(bounds(range))")
        }
        return number
    }

    private static func bounds<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> String {
        range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    }

    package static func time(_ key: String, _ path: Path<Duration>, atLeast minimum: Duration? = nil) -> Setting {
        value(key, path, "time", bounds: minimum.map { "\($0.text) or more" }) { (text) throws(SettingRefusal) in
            let time = try time(text)
            if let minimum, time < minimum { throw SettingRefusal("it must be \(minimum.text) or more") }
            return time
        } text: {
            $0.text
        }
    }

    /// Nil by default.
    package static func time(_ key: String, _ path: Path<Duration?>) -> Setting {
        value(key, path, "time", parse: time) { $0?.text }
    }

    private static func time(_ text: String) throws(SettingRefusal) -> Duration {
        guard let time = Duration(text: text), time > .zero else { throw SettingRefusal(Duration.refusal(of: text)) }
        return time
    }

    /// Nil by default.
    package static func text(_ key: String, _ path: Path<String?>, _ valueName: String = "file") -> Setting {
        value(key, path, valueName, parse: { $0 }) { $0 }
    }

    package static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String,
        _ path: Path<Choice>
    ) -> Setting {
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        let valueName = String(key.split { $0 == "." || $0 == "-" }.last ?? "value")
        return value(key, path, valueName, bounds: "one of \(words)") { (text) throws(SettingRefusal) in
            guard let choice = Choice(rawValue: text) else { throw SettingRefusal("it must be one of \(words)") }
            return choice
        } text: {
            $0.rawValue
        }
    }

    package static func toggle(_ key: String, _ path: Path<Bool>) -> Setting {
        value(key, path, "true|false", kind: .toggle, parse: truth) { String($0) }
    }

    /// Nil by default.
    package static func toggle(_ key: String, _ path: Path<Bool?>) -> Setting {
        value(key, path, "true|false", kind: .toggle, parse: truth) { $0.map { String($0) } }
    }

    private static func truth(_ text: String) throws(SettingRefusal) -> Bool {
        switch text.lowercased() {
        case "true", "on": true
        case "false", "off": false
        default: throw SettingRefusal("it must be true or false")
        }
    }

    /// Empty by default. `parse` returns nil for a value that breaks `rule`, which completes "it must be".
    package static func list<Element>(
        _ key: String,
        _ path: Path<[Element]>,
        _ valueName: String,
        rule: String,
        _ parse: @escaping @Sendable (String) -> Element?
    ) -> Setting {
        Setting(key, .list, valueName) { (values, texts) throws(SettingRefusal) in
            let parsed = texts.compactMap(parse)
            guard parsed.count == texts.count else { throw SettingRefusal("it must be \(rule)") }
            values[keyPath: path] = parsed
        } read: { _ in
            nil
        }
    }
}
