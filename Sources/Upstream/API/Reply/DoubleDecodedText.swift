/// Repair of UTF-8 text that a program decoded as Windows-1252, byte by byte: `â€™` instead of `’`.
enum DoubleDecodedText {
    /// Returns the repaired text, or the same text if it does not look decoded twice.
    ///
    /// It looks decoded twice if its characters, as bytes of Windows-1252, are valid UTF-8. Western text hardly ever
    /// does so by chance. Pairs like `É»` might: of the two-byte forms, only Latin letters and signs up to U+017F are
    /// repaired.
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
