internal import MarvelClient

/// One line that says how far a search is, written over and over and gone at the end.
struct Progress {
    /// Nil: nobody is to see it.
    private let output: (any TextOutput)?
    private var pages = 0
    private var characters = 0
    private var isShown = false

    init(on output: (any TextOutput)?) {
        self.output = output
    }

    mutating func begin() {
        show("Searching…")
    }

    mutating func received(_ page: SearchPage) {
        pages += 1
        characters += page.characters.count
        show("\(characters) of \(page.total) characters, \(pages) \(pages == 1 ? "page" : "pages")")
    }

    /// Takes the line away. To be called before anything else is printed: it may be the same terminal.
    mutating func clear() {
        guard isShown, let output else { return }
        isShown = false
        try? output.write(Progress.emptyLine)
    }

    private mutating func show(_ text: String) {
        guard let output, let columns = output.columns else { return }
        isShown = true
        try? output.write(Progress.emptyLine + text.truncated(toWidth: columns - 1))
    }

    private static let emptyLine = "\r\u{1B}[K"
}
