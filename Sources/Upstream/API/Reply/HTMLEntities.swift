/// A decoder of HTML character references: the named ones that catalog texts use, and all numeric ones.
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
