internal import MarvelDomain

/// The suggested names for the typed text: completions, or else similar names.
package struct Suggestions: Sendable, Equatable {
    /// The normal form of the last request's text; nil while suggestions are closed.
    private(set) var typed: String?
    /// In the server's order. Names for an earlier text that still match stay until the next answer, which reduces
    /// flicker.
    package private(set) var names: [String] = []
    /// Whether the names are only similar to the typed text.
    package private(set) var areCorrections = false
    /// The one that Enter takes.
    package private(set) var chosen: Int?

    package var isOpen: Bool { !names.isEmpty }
    package var chosenName: String? { chosen.map { names[$0] } }

    mutating func typed(_ text: String) -> [BrowseEffect] {
        guard let query = try? SearchQuery(typed: text) else { return close() }
        chosen = nil
        guard query.text != typed else { return [] }
        typed = query.text
        names.removeAll { !Suggestions.completes(query, $0) }
        // The remaining names complete the new text, even if they were only similar before.
        areCorrections = false
        return [.askSuggestions(typed: query.text)]
    }

    mutating func received(_ suggestions: [NameSuggestion], typed: String) {
        guard typed == self.typed, let query = try? SearchQuery(typed: typed) else { return }
        let completions = suggestions.filter { suggestion in
            // An older server does not report the match: compare the name here.
            suggestion.match.map { $0 != .fuzzy } ?? Suggestions.completes(query, suggestion.name)
        }
        areCorrections = completions.isEmpty && !suggestions.isEmpty
        names = (areCorrections ? suggestions : completions).map(\.name)
        chosen = nil
    }

    /// Whether a word of a name begins with the typed text. The server knows more spellings, so this may be false for
    /// its completions.
    private static func completes(_ query: SearchQuery, _ name: String) -> Bool {
        !Highlight(query, match: .wordPrefix).ranges(in: name).isEmpty
    }

    mutating func close() -> [BrowseEffect] {
        let wasOpen = typed != nil
        self = Suggestions()
        return wasOpen ? [.cancelSuggestions] : []
    }

    /// Chooses the next name; the last one stays chosen.
    mutating func chooseNext() { chosen = chosen.map { min($0 + 1, names.count - 1) } ?? 0 }

    /// Limits the choice to the first `count` names, which are on the screen.
    mutating func keepChosen(within count: Int) { chosen = chosen.flatMap { count > 0 ? min($0, count - 1) : nil } }

    /// Chooses the previous name; before the first one, the typed text counts.
    mutating func choosePrevious() { chosen = chosen.flatMap { $0 > 0 ? $0 - 1 : nil } }
}
