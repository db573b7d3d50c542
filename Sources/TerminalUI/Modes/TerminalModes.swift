package struct TerminalModes: Sendable, Hashable {
    /// Whether the terminal reports clicks and the wheel. The user then selects text with Shift held.
    package var hasMouse: Bool
    /// Nil leaves the title unchanged.
    package var title: String?

    package init(hasMouse: Bool = true, title: String? = nil) {
        self.hasMouse = hasMouse
        self.title = title
    }

    /// The bytes to send once, before the first frame, in raw mode.
    package var enter: [UInt8] {
        // The alternate screen first: entering it saves the cursor, and leaving it restores the cursor.
        var sequences = ["\u{1B}[?1049h"]
        if let title { sequences += ["\u{1B}[22;2t", "\u{1B}]2;\(String(title.printable.prefix(100)))\u{1B}\\"] }
        sequences += ["\u{1B}[?25l", "\u{1B}[?7l", "\u{1B}[?2004h"]
        if hasMouse { sequences += ["\u{1B}[?1000h", "\u{1B}[?1006h"] }
        return Array(sequences.joined().utf8)
    }

    /// The bytes that undo `enter`. They work in every state: after a part of `enter`, in the middle of a frame, and if
    /// sent twice. A signal handler can write them.
    package var leave: [UInt8] {
        let sequences = [
            // Ends an incomplete sequence, string or frame.
            "\u{18}", "\u{1B}\\", "\u{1B}[?2026l",
            "\u{1B}[?1006l", "\u{1B}[?1000l", "\u{1B}[?2004l", "\u{1B}[?7h", "\u{1B}[m", "\u{1B}[?25h",
            title == nil ? "" : "\u{1B}[23;2t", "\u{1B}[?1049l",
        ]
        return Array(sequences.joined().utf8)
    }

    /// The bytes to send before `leave` after using Kitty graphics.
    package static let deleteKittyPictures = KittyGraphics.deleteAll
}
