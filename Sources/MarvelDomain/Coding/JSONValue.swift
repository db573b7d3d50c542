/// A JSON value whose objects keep the order of their members, so that every run prints the same line.
package enum JSONValue: Sendable {
    case bool(Bool)
    case integer(Int64)
    /// Infinity and NaN are written as `null`.
    case number(Double)
    case null
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    /// On one line, without spaces. Characters that a terminal does not show, such as controls of the text direction,
    /// are escaped.
    package var line: String {
        var json = JSONWriter()
        json.value(self)
        return json.text.escapingFormatCharacters
    }
}

extension String {
    /// The JSON text with an escape for each format character (Unicode's category Cf), which only its strings can
    /// contain.
    package var escapingFormatCharacters: String {
        guard unicodeScalars.contains(where: \.isFormat) else { return self }
        var escaped = ""
        for scalar in unicodeScalars {
            guard scalar.isFormat else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                escaped += "\\u" + Hexadecimal.text(UInt64(unit)).suffix(4)
            }
        }
        return escaped
    }
}

extension Unicode.Scalar {
    fileprivate var isFormat: Bool { value >= 0x80 && properties.generalCategory == .format }
}

extension JSONWriter {
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .bool(let value): json(value ? "true" : "false")
        case .integer(let value): json(String(value))
        case .number(let value): json(value.isFinite ? "\(value)" : "null")
        case .null: json("null")
        case .string(let text): string(text)
        case .array(let values): array { json in for value in values { json.value(value) } }
        case .object(let members):
            object { json in
                for member in members {
                    json.key(member.key)
                    json.value(member.value)
                }
            }
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }
}
