/// What a full-screen program asks of a terminal when it begins, and takes back at its end.
package struct TerminalModes: Sendable, Hashable {
    /// Whether clicks and the wheel are told; a person then selects text with Shift held.
    package var hasMouse: Bool
    /// Of the window; nil leaves the one that it has.
    package var title: String?

    package init(hasMouse: Bool = true, title: String? = nil) {
        self.hasMouse = hasMouse
        self.title = title
    }

    /// To be sent once, before the first frame, with the terminal in raw mode.
    package var enter: [UInt8] {
        // The other screen, first: leaving it brings back the cursor that entering it has kept.
        var sequences = ["\u{1B}[?1049h"]
        if let title { sequences += ["\u{1B}[22;2t", "\u{1B}]2;\(String(title.printable.prefix(100)))\u{1B}\\"] }
        sequences += ["\u{1B}[?25l", "\u{1B}[?7l", "\u{1B}[?2004h"]
        if hasMouse { sequences += ["\u{1B}[?1000h", "\u{1B}[?1006h"] }
        return Array(sequences.joined().utf8)
    }

    /// Undoes everything, in whatever order and state it is sent: after all of `enter` or a part of it, in the middle
    /// of a frame, twice. Made before it is needed, so that a signal handler only has to write it.
    package var leave: [UInt8] {
        let sequences = [
            // Ends what was cut short: a sequence, a string, a frame.
            "\u{18}", "\u{1B}\\", "\u{1B}[?2026l",
            "\u{1B}[?1006l", "\u{1B}[?1000l", "\u{1B}[?2004l", "\u{1B}[?7h", "\u{1B}[m", "\u{1B}[?25h",
            title == nil ? "" : "\u{1B}[23;2t", "\u{1B}[?1049l",
        ]
        return Array(sequences.joined().utf8)
    }

    /// What a program that used Kitty's pictures sends before `leave`.
    package static let forgetKittyPictures = KittyGraphics.forgetAll
}
