internal import MarvelClient

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
