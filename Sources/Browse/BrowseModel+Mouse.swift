internal import MarvelDomain
internal import TerminalUI

extension BrowseModel {
    mutating func handle(_ event: MouseEvent) -> [BrowseEffect] {
        let before = clicked
        clicked = nil
        switch event.action {
        case .scrollUp: return scroll(-1)
        case .scrollDown: return scroll(1)
        case .press:
            // Find the target before hiding the message, because the message covers the area below it.
            let target = layout.target(at: event.position)
            return hideMessage() + click(target, after: before)
        }
    }

    private mutating func scroll(_ direction: Int) -> [BrowseEffect] {
        guard sheet == nil else {
            sheetScroll += 3 * direction
            return []
        }
        // About three lines, for any card height.
        let rows = max(3 / layout.grid.cardHeight, 1)
        moveCursor { $0.scroll(rows: rows * direction, in: $1, count: $2) }
        return []
    }

    /// Handles a click. `before` is the character whose card was clicked directly before; nil after any other input.
    private mutating func click(_ target: BrowseLayout.Target?, after before: Int64?) -> [BrowseEffect] {
        switch target {
        case .tab(let tab):
            sheet = nil
            self.tab = tab
            return []
        case .field: return focusField()
        case .match: return run(.changeMatch)
        case .help:
            guard case .help = sheet else { return run(.help) }
            sheet = nil
            return []
        case .suggestion(let index): return take(search.suggestions.names[index])
        case .removeRecent(let place): return search.forget(at: place)
        case .card(let place):
            let closing = tab == .search ? leaveField() : []
            moveCursor { $0.select(place, in: $1, count: $2) }
            return closing + click(cardAt: place, after: before)
        case .outside:
            sheet = nil
            return []
        case nil: return []
        }
    }

    /// Handles a click on a card. The first click selects a character, the second saves or removes it. The first click
    /// runs a recent search, because an accidental search is harmless.
    private mutating func click(cardAt place: Int, after before: Int64?) -> [BrowseEffect] {
        guard list != .recentSearches else { return use(place) }
        guard let id = character(at: place)?.id else { return [] }
        if id == before { return use(place) }
        clicked = id
        return []
    }
}
