package import TerminalUI

extension BrowseLayout {
    /// A target of a click.
    package enum Target: Sendable, Hashable {
        case tab(BrowseModel.Tab)
        case help
        case field
        case match
        case suggestion(Int)
        /// A result, a favorite or a recent search, by its place in the list.
        case card(Int)
        case removeRecent(Int)
        /// The area outside of an open sheet.
        case outside
    }

    package func target(at position: Position) -> Target? {
        guard !isTooSmall, !message.contains(position) else { return nil }
        if let label = tabs.first(where: { $0.area.contains(position) }) { return .tab(label.tab) }
        if helpHint.contains(position) { return .help }
        guard detail == nil, sheetText == nil else { return sheet.contains(position) ? nil : .outside }
        if suggestions.contains(position) { return .suggestion(position.row - suggestions.row) }
        // The frame of the suggestions covers the targets below it.
        guard !suggestionsFrame.contains(position) else { return nil }
        if match.contains(position) { return .match }
        if field.contains(position) || prompt.contains(position) { return .field }
        guard let card = cards.first(where: { $0.frame.contains(position) }) else { return nil }
        let removes = list == .recentSearches && card.frame.last(BrowseLayout.removeWidth).contains(position)
        return removes ? .removeRecent(card.place) : .card(card.place)
    }
}
