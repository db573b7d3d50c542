/// A question to a terminal about itself. What does not know it says nothing.
package struct TerminalQuery: Sendable, Hashable {
    /// What is sent.
    package let bytes: [UInt8]
    /// What comes back, if something does.
    package let answer: Answer

    package enum Answer: Sendable, Hashable {
        case kittyGraphics, background, cellSize, version, deviceAttributes
    }

    private init(_ text: String, _ answer: Answer) {
        self.bytes = Array(text.utf8)
        self.answer = answer
    }

    /// Whether Kitty's pictures are known: offers one of one pixel, which is not shown.
    package static let kittyGraphics = TerminalQuery("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", .kittyGraphics)
    /// The color behind the text (OSC 11).
    package static let background = TerminalQuery("\u{1B}]11;?\u{1B}\\", .background)
    /// A cell's height and width in pixels.
    package static let cellSize = TerminalQuery("\u{1B}[16t", .cellSize)
    /// The terminal's name (XTVERSION).
    package static let version = TerminalQuery("\u{1B}[>0q", .version)
    /// What the terminal can do (DA1). All terminals answer this one.
    package static let deviceAttributes = TerminalQuery("\u{1B}[c", .deviceAttributes)

    /// In the order of sending: with the answer to the last, all have come that will. To be sent before the first
    /// frame, which clears what a terminal may print of a question that it does not understand.
    package static let all = [kittyGraphics, background, cellSize, version, deviceAttributes]
}
