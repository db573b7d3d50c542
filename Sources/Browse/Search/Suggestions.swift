internal import MarvelDomain

/// Names that complete what is being typed.
package struct Suggestions: Sendable, Equatable {
    /// The text of the last request in its normal form; nil if no suggestions are wanted.
    private(set) var typed: String?
    /// The suggested names, best first. Names for an earlier text that still match stay until the next answer, which
    /// reduces flicker.
    package private(set) var names: [String] = []
    /// The one that Enter takes.
    package private(set) var chosen: Int?

    package var isOpen: Bool { !names.isEmpty }
    package var chosenName: String? { chosen.map { names[$0] } }

    mutating func typed(_ text: String) -> [BrowseEffect] {
        guard let query = try? SearchQuery(typed: text) else { return close() }
        chosen = nil
        guard query.text != typed else { return [] }
        typed = query.text
        let fitting = Highlight(query, match: .wordPrefix)
        names.removeAll { fitting.ranges(in: $0).isEmpty }
        return [.askSuggestions(typed: query.text)]
    }

    mutating func received(_ names: [String], typed: String) {
        guard typed == self.typed else { return }
        self.names = names
        chosen = nil
    }

    mutating func close() -> [BrowseEffect] {
        let wasOpen = typed != nil
        self = Suggestions()
        return wasOpen ? [.cancelSuggestions] : []
    }

    /// Chooses the next name: first the first one; the last one stays chosen.
    mutating func chooseNext() { chosen = chosen.map { min($0 + 1, names.count - 1) } ?? 0 }

    /// Limits the choice to the names on the screen: the first `count`.
    mutating func keepChosen(within count: Int) { chosen = chosen.flatMap { count > 0 ? min($0, count - 1) : nil } }

    /// Chooses the previous name; before the first one, none is chosen and the typed text counts.
    mutating func choosePrevious() { chosen = chosen.flatMap { $0 > 0 ? $0 - 1 : nil } }
}
