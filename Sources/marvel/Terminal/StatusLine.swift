internal import TerminalUI

/// One line that is written over and over and gone at the end.
struct StatusLine: Sendable {
    /// Nil: nobody is to see it.
    private let output: (any TextOutput)?
    private var isShown = false

    private static let emptyLine = "\r\u{1B}[K"

    init(on output: (any TextOutput)?) {
        self.output = output
    }

    /// Whether anybody sees it.
    var isSeen: Bool { output != nil }

    mutating func show(_ text: String) {
        guard let output, let columns = output.columns else { return }
        isShown = true
        try? output.write(StatusLine.emptyLine + text.truncated(toWidth: columns - 1))
    }

    /// Takes the line away. To be called before anything else is printed: it may be the same terminal.
    mutating func clear() {
        guard isShown, let output else { return }
        isShown = false
        try? output.write(StatusLine.emptyLine)
    }
}
