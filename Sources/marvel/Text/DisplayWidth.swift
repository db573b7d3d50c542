extension StringProtocol {
    /// Terminal columns that the text takes. It holds no control characters (see `printable`).
    var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, cut to end in `…` if it takes more columns than it may.
    func truncated(toWidth width: Int) -> String {
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
    /// Terminal columns of one grapheme cluster: 2 for wide East Asian characters and emoji, 0 for lone marks, else 1.
    ///
    /// The standard library knows no East Asian Width, so the blocks whose characters are all wide are listed here
    /// (Unicode 15, `EastAsianWidth.txt`). Of the ambiguous ones, `★` and `…` among them, each takes 1.
    var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.isASCII, unicodeScalars.count == 1 { return 1 }
        if first.properties.isEmojiPresentation || Character.isWide(first.value) { return 2 }
        // U+FE0F asks for the picture: "❤️", and "1️⃣".
        if first.properties.isEmoji, unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1 + voicedMarks
        }
    }

    /// Half-width voiced sound marks: they join the cluster of their kana, and take a column of their own.
    private var voicedMarks: Int {
        unicodeScalars.reduce(0) { $0 + ($1 == "\u{FF9E}" || $1 == "\u{FF9F}" ? 1 : 0) }
    }

    private static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF,
            0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            true
        default:
            false
        }
    }
}
