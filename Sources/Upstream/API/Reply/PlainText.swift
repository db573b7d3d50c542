package enum PlainText {
    /// Line breaks and tabs become spaces, other control characters are removed.
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

    /// The input may be HTML, contain CRLF, or be UTF-8 that was decoded twice.
    package static func paragraph(_ text: String) -> String {
        // Repair before decoding entities: an entity's character was never decoded twice.
        let readable = HTMLEntities.decoded(withoutTags(DoubleDecodedText.repaired(text)))
        return line(readable).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A tag that breaks a line becomes a space; a `<` that begins no tag stays.
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

/// UTF-8 that a program decoded as Windows-1252: `â€™` instead of `’`.
enum DoubleDecodedText {
    /// Text is repaired if its characters, as bytes of Windows-1252, are valid UTF-8. Pairs like `É»` might be so by
    /// chance: of the two-byte forms, only Latin letters and signs up to U+017F are repaired.
    static func repaired(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard let byte = Windows1252.byte(scalar), !(0xC6...0xDF).contains(byte) else { return text }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}

enum Windows1252 {
    private static let special: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
        "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]

    static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        if let byte = UInt8(exactly: scalar.value) { return byte }
        return special.firstIndex(of: scalar).map { UInt8(0x80 + $0) }
    }

    static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}

/// The named references that catalog texts use, and all numeric ones.
enum HTMLEntities {
    /// Replaces each reference once, so `&amp;lt;` becomes `&lt;`. Unknown references are unchanged.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            decoded += rest[..<ampersand]
            rest = rest[ampersand...].dropFirst()
            let name = rest.prefix(maximumNameLength + 1).prefix { $0 != UInt8(ascii: ";") }
            if name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ";"),
                let scalar = scalar(String(decoding: name, as: UTF8.self))
            {
                decoded += Array(String(scalar).utf8)
                rest = rest[name.endIndex...].dropFirst()
            } else {
                decoded.append(UInt8(ascii: "&"))
            }
        }
        return String(decoding: decoded + rest, as: UTF8.self)
    }

    private static let maximumNameLength = 10

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return named[name] }
        let number = name.dropFirst()
        let isHexadecimal = number.first == "x" || number.first == "X"
        let value = isHexadecimal ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
        guard let value, value > 0 else { return nil }
        // Browsers also map the numbers of control characters to Windows-1252.
        return UInt8(exactly: value).map(Windows1252.scalar) ?? Unicode.Scalar(value)
    }

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "shy": "\u{AD}",
        "hellip": "…", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”",
        "bdquo": "„", "laquo": "«", "raquo": "»", "lsaquo": "‹", "rsaquo": "›", "bull": "•", "middot": "·",
        "trade": "™", "reg": "®", "copy": "©", "deg": "°", "sect": "§", "para": "¶", "dagger": "†", "Dagger": "‡",
        "cent": "¢", "pound": "£", "yen": "¥", "euro": "€", "times": "×", "divide": "÷", "plusmn": "±", "micro": "µ",
        "frac12": "½", "frac14": "¼", "frac34": "¾", "sup2": "²", "sup3": "³", "prime": "′", "Prime": "″",
        "iexcl": "¡", "iquest": "¿", "ordf": "ª", "ordm": "º", "acute": "´", "tilde": "˜", "circ": "ˆ", "uml": "¨",
        "Agrave": "À", "Aacute": "Á", "Acirc": "Â", "Atilde": "Ã", "Auml": "Ä", "Aring": "Å", "AElig": "Æ",
        "Ccedil": "Ç", "Egrave": "È", "Eacute": "É", "Ecirc": "Ê", "Euml": "Ë", "Igrave": "Ì", "Iacute": "Í",
        "Icirc": "Î", "Iuml": "Ï", "Ntilde": "Ñ", "Ograve": "Ò", "Oacute": "Ó", "Ocirc": "Ô", "Otilde": "Õ",
        "Ouml": "Ö", "Oslash": "Ø", "Ugrave": "Ù", "Uacute": "Ú", "Ucirc": "Û", "Uuml": "Ü", "Yacute": "Ý",
        "agrave": "à", "aacute": "á", "acirc": "â", "atilde": "ã", "auml": "ä", "aring": "å", "aelig": "æ",
        "ccedil": "ç", "egrave": "è", "eacute": "é", "ecirc": "ê", "euml": "ë", "igrave": "ì", "iacute": "í",
        "icirc": "î", "iuml": "ï", "ntilde": "ñ", "ograve": "ò", "oacute": "ó", "ocirc": "ô", "otilde": "õ",
        "ouml": "ö", "oslash": "ø", "ugrave": "ù", "uacute": "ú", "ucirc": "û", "uuml": "ü", "yacute": "ý",
        "yuml": "ÿ", "szlig": "ß", "eth": "ð", "thorn": "þ", "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š",
        "Omega": "Ω", "omega": "ω", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "infin": "∞",
    ]
}
