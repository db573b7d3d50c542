internal import MarvelDomain

/// Names that complete what is being typed.
package struct Suggestions: Sendable, Equatable {
    /// What was asked for last, in its normal form; nil when nothing is wanted.
    private(set) var typed: String?
    /// Best first. Those of an earlier letter that still fit stay until others come, so that little flickers.
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

    /// The first, and then the next; the last stays chosen.
    mutating func chooseNext() { chosen = chosen.map { min($0 + 1, names.count - 1) } ?? 0 }

    /// Only what is on the screen can be chosen: the first `count`.
    mutating func keepChosen(within count: Int) { chosen = chosen.flatMap { count > 0 ? min($0, count - 1) : nil } }

    /// The one before; before the first is what was typed.
    mutating func choosePrevious() { chosen = chosen.flatMap { $0 > 0 ? $0 - 1 : nil } }
}
