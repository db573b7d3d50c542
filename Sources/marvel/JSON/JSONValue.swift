/// A JSON value whose objects keep the order of their members, so that every run prints the same line.
enum JSONValue {
    case bool(Bool)
    case integer(Int64)
    /// A number. Values that are not finite have no JSON number, and are written as `null`.
    case number(Double)
    case null
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    /// The value on one line, without spaces. Control characters are escaped, because a terminal would execute them.
    var line: String {
        var text = ""
        write(into: &text)
        return text
    }

    private func write(into text: inout String) {
        switch self {
        case .bool(let value):
            text += value ? "true" : "false"
        case .integer(let value):
            text += String(value)
        case .number(let value):
            text += value.isFinite ? "\(value)" : "null"
        case .null:
            text += "null"
        case .string(let value):
            JSONValue.write(value, into: &text)
        case .array(let values):
            JSONValue.write(values, between: "[", and: "]", into: &text) { $0.write(into: &$1) }
        case .object(let members):
            JSONValue.write(members, between: "{", and: "}", into: &text) { member, text in
                JSONValue.write(member.key, into: &text)
                text += ":"
                member.value.write(into: &text)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item],
        between open: String,
        and close: String,
        into text: inout String,
        _ write: (Item, inout String) -> Void
    ) {
        text += open
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            write(item, &text)
        }
        text += close
    }

    private static func write(_ string: String, into text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // U+2028 and U+2029 end a line for some programs that read lines.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": text += escape(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }
}
