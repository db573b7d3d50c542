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
            // The target is found before the message is hidden, because the message covers the area below it.
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

    /// Handles a click on a target.
    ///
    /// - Parameters:
    ///   - target: The part of the screen that was clicked.
    ///   - before: The character whose card was clicked directly before; nil if something else happened since.
    /// - Returns: The effects.
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

    /// Handles a click on a card. The first click selects a character, the second one saves or removes it. A recent
    /// search runs on the first click, because an accidental click does no harm there.
    private mutating func click(cardAt place: Int, after before: Int64?) -> [BrowseEffect] {
        guard list != .recentSearches else { return use(place) }
        guard let id = character(at: place)?.id else { return [] }
        if id == before { return use(place) }
        clicked = id
        return []
    }
}
