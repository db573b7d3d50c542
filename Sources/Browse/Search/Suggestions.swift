internal import MarvelDomain

/// The names that are offered for what is being typed: those that complete it or, if none does, those that are like it.
package struct Suggestions: Sendable, Equatable {
    /// The text of the last request in its normal form; nil if no suggestions are wanted.
    private(set) var typed: String?
    /// The suggested names, best first. Names for an earlier text that still match stay until the next answer, which
    /// reduces flicker.
    package private(set) var names: [String] = []
    /// Whether the names do not complete what is typed, and are only like it.
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
        // Whatever is left completes the new text, also if it was only like the one before.
        areCorrections = false
        return [.askSuggestions(typed: query.text)]
    }

    mutating func received(_ suggestions: [NameSuggestion], typed: String) {
        guard typed == self.typed, let query = try? SearchQuery(typed: typed) else { return }
        let completions = suggestions.filter { suggestion in
            // A server that does not tell is older: then the name itself has to.
            suggestion.match.map { $0 != .fuzzy } ?? Suggestions.completes(query, suggestion.name)
        }
        areCorrections = completions.isEmpty && !suggestions.isEmpty
        names = (areCorrections ? suggestions : completions).map(\.name)
        chosen = nil
    }

    /// Whether a word of a name begins with what is typed. The server knows more spellings, so this may be false for a
    /// name that it calls a completion.
    private static func completes(_ query: SearchQuery, _ name: String) -> Bool {
        !Highlight(query, match: .wordPrefix).ranges(in: name).isEmpty
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
