extension String {
    /// Untrusted text made safe for a terminal. Line ends and tabs become spaces. Other control characters, such as
    /// ESC, become U+FFFD. Marks that change the writing direction are removed.
    package var printable: String { withoutControls.trimmed }

    var withoutControls: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x09...0x0D, 0x85, 0x2028, 0x2029: scalars.append(" ")
            case 0x00...0x1F, 0x7F...0x9F: scalars.append("\u{FFFD}")
            case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: continue
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// A wider word has its own, longer line.
    package func wrapped(toWidth width: Int?) -> [String] {
        guard let width, displayWidth > width else { return [self] }
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            if !line.isEmpty, line.displayWidth + 1 + word.displayWidth > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [line]
    }
}
