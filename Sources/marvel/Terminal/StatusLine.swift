internal import MarvelClient
internal import TerminalDevice
internal import TerminalUI

/// One line that is overwritten with each change and removed at the end.
struct StatusLine: Sendable {
    /// The output; nil if the line is not shown.
    private let output: (any TextOutput)?
    private var isShown = false

    private static let emptyLine = "\r\u{1B}[K"

    init(on output: (any TextOutput)?) {
        self.output = output
    }

    /// Whether the line is shown.
    var isVisible: Bool { output != nil }

    mutating func show(_ text: String) {
        guard let output, let columns = output.columns else { return }
        isShown = true
        try? output.write(StatusLine.emptyLine + text.truncated(toWidth: columns - 1))
    }

    /// Removes the line. It must be called before other text is printed, because that may go to the same terminal.
    mutating func clear() {
        guard isShown, let output else { return }
        isShown = false
        try? output.write(StatusLine.emptyLine)
    }
}

/// The progress of a search, on one line.
struct Progress {
    private var line: StatusLine
    private var pages = 0
    private var characters = 0

    init(on line: StatusLine) {
        self.line = line
    }

    mutating func begin() {
        line.show("Searching…")
    }

    mutating func received(_ page: SearchPage) {
        pages += 1
        characters += page.characters.count
        line.show("\(characters) of \(page.total) characters, \(pages) \(pages == 1 ? "page" : "pages")")
    }

    mutating func clear() {
        line.clear()
    }
}
