internal import Logging

/// One JSON object on one line, built member by member.
struct JSONLine {
    private var bytes = Array("{".utf8)

    mutating func append(_ name: String, _ value: Logger.MetadataValue) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        appendString(name)
        bytes.append(UInt8(ascii: ":"))
        appendValue(value)
    }

    consuming func finish() -> [UInt8] {
        bytes += "}\n".utf8
        return bytes
    }
}

extension JSONLine {
    /// Appends a value. Integers and booleans keep their type; everything else except lists and objects becomes text.
    private mutating func appendValue(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text):
            appendString(text)
        case .stringConvertible(let value):
            if value is any BinaryInteger || value is Bool {
                bytes += value.description.utf8
            } else {
                appendString(value.description)
            }
        case .array(let values):
            appendList(values, between: "[]") { line, value in line.appendValue(value) }
        case .dictionary(let members):
            appendList(members.sorted { $0.key < $1.key }, between: "{}") { line, member in
                line.appendString(member.key)
                line.bytes.append(UInt8(ascii: ":"))
                line.appendValue(member.value)
            }
        }
    }

    private mutating func appendList<Element>(
        _ elements: [Element],
        between brackets: StaticString,
        append: (inout JSONLine, Element) -> Void
    ) {
        bytes.append(brackets.utf8Start[0])
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(&self, element)
        }
        bytes.append(brackets.utf8Start[1])
    }

    /// Appends a string. Every control character and line break of Unicode is escaped, so that no text can begin a line
    /// of its own, or send commands to the terminal that shows it.
    private mutating func appendString(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case "\n": bytes += "\\n".utf8
            case "\r": bytes += "\\r".utf8
            case "\t": bytes += "\\t".utf8
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: bytes += String(scalar).utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
