public import MarvelDomain
internal import WireMessages

/// Names for the text that a person is typing.
public struct NameSuggestions: Sendable, Hashable {
    /// The suggestions, each name once. Completions of the typed text come before similar names.
    public var suggestions: [NameSuggestion]
    /// Attribution text to show with the data.
    public var attribution: String

    public var names: [String] { suggestions.map(\.name) }
}

extension NameSuggestions {
    /// Uses the matches only if there is one for each name: an older server sends none.
    init(_ response: SuggestNamesResponse) {
        let areMatchesTold = response.matches.count == response.names.count
        let matches = areMatchesTold ? response.matches.map(\.match) : response.names.map { _ in nil }
        self.init(
            suggestions: zip(response.names, matches).map { NameSuggestion($0, match: $1) },
            attribution: response.attribution
        )
    }
}
