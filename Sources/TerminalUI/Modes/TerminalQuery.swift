/// A query about the terminal's capabilities. A terminal that does not support the query sends no reply.
package struct TerminalQuery: Sendable, Hashable {
    /// The bytes to send.
    package let bytes: [UInt8]
    /// The kind of reply, if the terminal sends one.
    package let answer: Answer

    package enum Answer: Sendable, Hashable {
        case kittyGraphics, background, cellSize, version, deviceAttributes
    }

    private init(_ text: String, _ answer: Answer) {
        self.bytes = Array(text.utf8)
        self.answer = answer
    }

    /// A query for support of the Kitty graphics protocol. It transmits an image of one pixel, which is not shown.
    package static let kittyGraphics = TerminalQuery("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", .kittyGraphics)
    /// A query for the default background color (OSC 11).
    package static let background = TerminalQuery("\u{1B}]11;?\u{1B}\\", .background)
    /// A query for the height and width of a cell in pixels.
    package static let cellSize = TerminalQuery("\u{1B}[16t", .cellSize)
    /// A query for the terminal's name and version (XTVERSION).
    package static let version = TerminalQuery("\u{1B}[>0q", .version)
    /// A query for the primary device attributes (DA1). All terminals reply to it.
    package static let deviceAttributes = TerminalQuery("\u{1B}[c", .deviceAttributes)

    /// All queries in the order of sending. After the reply to the last query, no other reply follows. They are sent
    /// before the first frame, which clears anything that a terminal prints for an unsupported query.
    package static let all = [kittyGraphics, background, cellSize, version, deviceAttributes]
}
