extension StringProtocol {
    /// In terminal columns, for text without control characters (see `printable`).
    package var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    package func truncated(toWidth width: Int) -> String {
        guard displayWidth > width else { return String(self) }
        guard width > 0 else { return "" }
        var kept = ""
        var used = 1
        for character in self {
            used += character.displayWidth
            if used > width { break }
            kept.append(character)
        }
        while kept.last?.isWhitespace == true { kept.removeLast() }
        return kept + "…"
    }
}

extension Character {
    /// In columns. Characters of ambiguous width (`EastAsianWidth.txt`), such as `★`, take 1, as in every terminal by
    /// default.
    package var displayWidth: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.isASCII, scalars.count == 1 { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
        // U+FE0F selects emoji presentation: "❤️", and "1️⃣".
        if first.properties.isEmoji, scalars.contains("\u{FE0F}") { return 2 }
        // A cluster is as wide as its base. Marks, joiners and joined characters add no columns.
        guard let base = scalars.first(where: { $0.columns > 0 }) else { return 0 }
        return base.columns
    }

    /// Whether all terminals agree on the width. They differ in emoji and variation selectors (U+FE0E, U+FE0F).
    var hasCertainWidth: Bool {
        if isASCII { return true }
        return reach == displayWidth && !unicodeScalars.contains(where: \.isDisputed)
    }

    /// The maximum in any terminal.
    var reach: Int {
        max(displayWidth, unicodeScalars.reduce(0) { $0 + $1.columns })
    }
}

extension Unicode.Scalar {
    /// As `wcwidth` returns it.
    fileprivate var columns: Int {
        if isASCII { return value < 0x20 || value == 0x7F ? 0 : 1 }
        if Self.isWide(value) || properties.isEmojiPresentation { return 2 }
        if Self.isTrailingJamo(value) { return 0 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .surrogate, .lineSeparator, .paragraphSeparator:
            return 0
        default:
            return 1
        }
    }

    fileprivate var isDisputed: Bool {
        (0x1F000...0x1FFFF).contains(value) || (0xFE0E...0xFE0F).contains(value)
    }

    private static func isTrailingJamo(_ scalar: UInt32) -> Bool {
        (0x1160...0x11FF).contains(scalar) || (0xD7B0...0xD7FF).contains(scalar)
    }

    /// Unicode 15, `EastAsianWidth.txt`. The standard library lacks the East Asian Width.
    private static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x302A...0x302D, 0x3099, 0x309A:
            // Combining marks inside these blocks.
            false
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF,
            0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            true
        default:
            false
        }
    }
}
