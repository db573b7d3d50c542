internal import TerminalUI

extension BrowseModel {
    mutating func handle(_ event: MouseEvent) -> [BrowseEffect] {
        switch event.action {
        case .scrollUp: return scroll(-1)
        case .scrollDown: return scroll(1)
        case .press:
            // With the message, which covers what is beneath it.
            let target = layout.target(at: event.position)
            return hideMessage() + clicked(target)
        }
    }

    private mutating func scroll(_ direction: Int) -> [BrowseEffect] {
        guard sheet == nil else {
            scrollSheet(lines: 3 * direction)
            return []
        }
        // About three lines, whatever the height of a card.
        let rows = max(3 / layout.grid.cardHeight, 1)
        moveCursor { $0.scroll(rows: rows * direction, in: $1, count: $2) }
        return []
    }

    private mutating func clicked(_ target: BrowseLayout.Target?) -> [BrowseEffect] {
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
            return closing + use(place)
        case .outside:
            sheet = nil
            return []
        case nil: return []
        }
    }
}
