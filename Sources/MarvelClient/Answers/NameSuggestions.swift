public import MarvelDomain
internal import WireMessages

/// Names for the text that a person is typing.
public struct NameSuggestions: Sendable, Hashable {
    /// The suggestions, best first, each name once. Names that complete the typed text come before similar names.
    public var suggestions: [NameSuggestion]
    /// The line that must be shown with the data.
    public var attribution: String

    /// The names alone.
    public var names: [String] { suggestions.map(\.name) }
}

extension NameSuggestions {
    /// Takes the matches only if there is one for each name: an older server sends none.
    init(_ response: SuggestNamesResponse) {
        let areMatchesTold = response.matches.count == response.names.count
        let matches = areMatchesTold ? response.matches.map(\.match) : response.names.map { _ in nil }
        self.init(
            suggestions: zip(response.names, matches).map { NameSuggestion($0, match: $1) },
            attribution: response.attribution
        )
    }
}
