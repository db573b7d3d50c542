/// A decoder of the escapes of JSON strings (RFC 8259, section 7), for strings without their quotation marks.
enum JSONEscapes {
    /// Decodes the escapes; nil if an escape is invalid, or if half of a surrogate pair is missing.
    static func decoded(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var decoded = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                decoded.append(scalar)
                continue
            }
            guard let name = rest.popFirst() else { return nil }
            if let plain = plain[name] {
                decoded.append(plain)
            } else if name == "u", let scalar = unicode(&rest) {
                decoded.append(scalar)
            } else {
                return nil
            }
        }
        return String(decoded)
    }

    private static let plain: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]

    /// Decodes the part of an escape after `\u`: four digits, and a second escape for the second half of a surrogate
    /// pair.
    private static func unicode(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
        guard let first = digits(&rest) else { return nil }
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
        guard rest.popFirst() == "\\", rest.popFirst() == "u", let second = digits(&rest),
            (0xDC00...0xDFFF).contains(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func digits(_ rest: inout Substring.UnicodeScalarView) -> UInt32? {
        let digits = String(rest.prefix(4))
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
        rest.removeFirst(4)
        return UInt32(digits, radix: 16)
    }
}
