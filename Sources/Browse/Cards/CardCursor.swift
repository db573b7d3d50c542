/// The selected card, and the first card on the screen.
package struct CardCursor: Sendable, Hashable {
    package private(set) var selected = 0
    /// Always the first card of a row.
    package private(set) var top = 0

    package enum Move: Sendable, Hashable, CaseIterable {
        case up, down, left, right
        case halfPageUp, halfPageDown, pageUp, pageDown
        case first, last
    }

    package init(selected: Int = 0, top: Int = 0) {
        self.selected = selected
        self.top = top
    }

    package func visible(in grid: CardGrid, count: Int) -> Range<Int> {
        let start = min(top, count)
        return start..<min(start + grid.visibleCount, count)
    }

    mutating func move(_ move: Move, in grid: CardGrid, count: Int) {
        let columns = grid.columns
        switch move {
        case .up: moveRows(-1, in: grid, count: count)
        case .down: moveRows(1, in: grid, count: count)
        case .left where columns > 1: selected -= 1
        case .right where columns > 1: selected += 1
        case .left, .right: break
        case .halfPageUp: page(-max(grid.visibleRows / 2, 1), in: grid, count: count)
        case .halfPageDown: page(max(grid.visibleRows / 2, 1), in: grid, count: count)
        case .pageUp: page(-grid.visibleRows, in: grid, count: count)
        case .pageDown: page(grid.visibleRows, in: grid, count: count)
        case .first: selected = 0
        case .last: selected = count - 1
        }
        keepInView(in: grid, count: count)
    }

    /// Scrolls by a number of rows. The selection changes only if it would leave the screen.
    mutating func scroll(rows: Int, in grid: CardGrid, count: Int) {
        top = clampedTop(top + rows * grid.columns, in: grid, count: count)
        let column = selected % grid.columns
        let last = top + (grid.visibleRows - 1) * grid.columns + column
        selected = min(max(selected, top + column), last)
        keepInView(in: grid, count: count)
    }

    mutating func select(_ place: Int, in grid: CardGrid, count: Int) {
        selected = place
        keepInView(in: grid, count: count)
    }

    /// Follows the selected card to its new place. Call `keepInView` afterwards.
    mutating func follow(to place: Int) { selected = place }

    /// Limits the selection to existing cards, and scrolls it into view. Call it after each change of the size or of
    /// the number of cards.
    mutating func keepInView(in grid: CardGrid, count: Int) {
        selected = min(max(selected, 0), max(count - 1, 0))
        let row = selected / grid.columns
        let topRow = min(max(top / grid.columns, row - grid.visibleRows + 1), row)
        top = clampedTop(topRow * grid.columns, in: grid, count: count)
    }

    private mutating func moveRows(_ rows: Int, in grid: CardGrid, count: Int) {
        let target = selected + rows * grid.columns
        guard target >= 0 else { return }
        // In a partial last row: its last card.
        let isInLastRow = selected / grid.columns >= (count - 1) / grid.columns
        if target < count { selected = target } else if !isInLastRow { selected = count - 1 }
    }

    /// Moves by whole rows. The selection keeps its position on the screen if a card exists there.
    private mutating func page(_ rows: Int, in grid: CardGrid, count: Int) {
        top = clampedTop(top + rows * grid.columns, in: grid, count: count)
        selected += rows * grid.columns
        if selected < 0 { selected = 0 }
    }

    /// Limits `top` to the start of a row, without empty rows after the last card while cards are hidden above.
    private func clampedTop(_ top: Int, in grid: CardGrid, count: Int) -> Int {
        let rows = (count + grid.columns - 1) / grid.columns
        let lastTop = max(rows - grid.visibleRows, 0) * grid.columns
        return min(max(top / grid.columns * grid.columns, 0), lastTop)
    }
}
