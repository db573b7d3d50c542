package struct TerminalModes: Sendable, Hashable {
    /// If set, the user selects text with Shift held.
    package var hasMouse: Bool
    /// Nil leaves the title unchanged.
    package var title: String?

    package init(hasMouse: Bool = true, title: String? = nil) {
        self.hasMouse = hasMouse
        self.title = title
    }

    /// Send it once, before the first frame, in raw mode.
    package var enter: [UInt8] {
        // The alternate screen first: entering it saves the cursor, and leaving it restores the cursor.
        var sequences = ["\u{1B}[?1049h"]
        if let title { sequences += ["\u{1B}[22;2t", "\u{1B}]2;\(String(title.printable.prefix(100)))\u{1B}\\"] }
        sequences += ["\u{1B}[?25l", "\u{1B}[?7l", "\u{1B}[?2004h"]
        if hasMouse { sequences += ["\u{1B}[?1000h", "\u{1B}[?1006h"] }
        return Array(sequences.joined().utf8)
    }

    /// Works after a part of `enter`, in the middle of a frame, and if sent twice. A signal handler can write it.
    package var leave: [UInt8] {
        let sequences = [
            // Ends an incomplete sequence, string or frame.
            "\u{18}", "\u{1B}\\", "\u{1B}[?2026l",
            "\u{1B}[?1006l", "\u{1B}[?1000l", "\u{1B}[?2004l", "\u{1B}[?7h", "\u{1B}[m", "\u{1B}[?25h",
            title == nil ? "" : "\u{1B}[23;2t", "\u{1B}[?1049l",
        ]
        return Array(sequences.joined().utf8)
    }

    package static let deleteKittyPictures = KittyGraphics.deleteAll
}

package struct TerminalCapabilities: Sendable, Hashable {
    package private(set) var background: Theme.Background?
    private var cell: PixelSize?
    private var hasKitty = false

    package init() {}

    /// Send them before the first frame, which overwrites anything that a terminal prints for them.
    package static let queries: [UInt8] = [
        // Kitty graphics protocol: transmits an image of one pixel without showing it.
        "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\",
        // OSC 11: the default background color.
        "\u{1B}]11;?\u{1B}\\",
        // The height and width of a cell in pixels.
        "\u{1B}[16t",
    ].flatMap(\.utf8)

    package mutating func note(_ reply: TerminalReply) {
        switch reply {
        case .kittyGraphics(let isSupported): hasKitty = isSupported
        case .background(let background): self.background = background
        case .cellSize(let size): cell = size
        }
    }

    /// Kitty scales images itself, so an assumed cell size is enough.
    package var pictures: PictureProtocol {
        hasKitty ? .kitty(cell: cell ?? PixelSize(width: 10, height: 20)) : .halfBlocks
    }
}

package enum PictureProtocol: Sendable, Hashable {
    case none
    case halfBlocks
    case kitty(cell: PixelSize)
}
