package enum PlainText {
    /// Returns the text as one line: line breaks and tabs become spaces, other control characters are removed.
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

    /// Returns one paragraph of plain text. The input may be HTML, contain CRLF, or be UTF-8 that was decoded twice.
    package static func paragraph(_ text: String) -> String {
        // Repair before decoding entities: an entity's character was never decoded twice.
        let readable = HTMLEntities.decoded(withoutTags(DoubleDecodedText.repaired(text)))
        return line(readable).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Removes tags and comments. A tag that breaks a line becomes a space; a `<` that begins no tag stays.
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
                // No later tag has a `>` either, so the rest is text. This keeps the time linear.
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
