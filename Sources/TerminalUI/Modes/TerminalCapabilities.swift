/// The capabilities of a terminal, collected from its replies.
package struct TerminalCapabilities: Sendable, Hashable {
    /// Nil if the terminal did not report it.
    package private(set) var background: Theme.Background?
    private var cell: PixelSize?
    private var hasKitty = false

    package init() {}

    /// The queries to send before the first frame, which overwrites anything that a terminal prints for them. An
    /// unsupported query gets no reply.
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

/// A way to show pictures in the window.
package enum PictureProtocol: Sendable, Hashable {
    case none
    /// Colored half-block characters, two pixels to a cell.
    case halfBlocks
    /// Kitty graphics, with the size of a cell in pixels.
    case kitty(cell: PixelSize)
}
