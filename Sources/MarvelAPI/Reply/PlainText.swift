/// Text from a gateway made fit for display.
package enum PlainText {
    /// One line, otherwise as it came: line breaks and tabs are spaces, other control characters are gone.
    package static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory != .control {
                line.append(scalar)
            } else if scalar.properties.isWhitespace {
                line.append(" ")
            }
        }
        return String(line)
    }

    /// One paragraph of plain text from what may be HTML, may have CRLF in it, and may be UTF-8 that was decoded twice.
    package static func paragraph(_ text: String) -> String {
        // The repair looks at the whole text and must see no entity's character, which was never decoded twice.
        let readable = HTMLEntities.decoded(withoutTags(DoubleDecodedText.repaired(text)))
        return line(readable).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Tags and comments taken out; those that end a line leave a space. A `<` that begins no tag is text.
    private static func withoutTags(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
        var plain: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            plain += rest[..<open]
            rest = rest[open...].dropFirst()
            guard isTagStart(rest.first) else {
                plain.append(UInt8(ascii: "<"))
                continue
            }
            guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else {
                // There is none for any later tag either: what is left is text, and is not searched again.
                plain.append(UInt8(ascii: "<"))
                break
            }
            if breaksLine(rest[..<close]) { plain.append(UInt8(ascii: " ")) }
            rest = rest[close...].dropFirst()
        }
        return String(decoding: plain + rest, as: UTF8.self)
    }

    private static func isTagStart(_ byte: UInt8?) -> Bool {
        byte.map { isLetter($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "!") } ?? false
    }

    private static func breaksLine(_ tag: ArraySlice<UInt8>) -> Bool {
        let name = tag.drop { $0 == UInt8(ascii: "/") }.prefix { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "/") }
        return lineBreaking.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static let lineBreaking: Set = ["br", "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "tr", "td", "hr"]
}
