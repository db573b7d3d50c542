/// Draws those cells of a screen that differ from what the window shows.
struct CellWriter {
    private let screen: Screen
    private let before: Screen
    /// Pictures that are wiped out where cells are drawn, and stay where none are.
    private let pictures: [PicturePlacement]
    /// Cells of pictures that were drawn.
    private(set) var damaged: Set<Position> = []

    /// - Parameters:
    ///   - screen: What is to be shown.
    ///   - before: What is shown, of the same size.
    ///   - pictures: Of both, if they share the cells with the text.
    init(_ screen: Screen, over before: Screen, _ pictures: [PicturePlacement]) {
        self.screen = screen
        self.before = before
        self.pictures = pictures
    }

    mutating func draw(with pen: inout Pen) {
        let gone = pictures.filter { !screen.pictures.contains($0) }.map(\.rectangle)
        for row in 0..<screen.size.rows {
            let stale = gone.filter { $0.rows.contains(row) }.map(\.columns)
            if !stale.isEmpty || screen[row: row] != before[row: row] { drawRow(row, stale, with: &pen) }
        }
    }

    /// - Parameters:
    ///   - row: Within the bounds.
    ///   - stale: Columns that show what is left of a picture.
    ///   - pen: Draws.
    private mutating func drawRow(_ row: Int, _ stale: [Range<Int>], with pen: inout Pen) {
        let cells = Array(screen[row: row])
        let shown = Array(before[row: row])
        let pictures = pictures.map(\.rectangle).filter { $0.rows.contains(row) }
        // Pictures in the blanks at the end would be erased with them.
        let blankTail = pictures.isEmpty ? (cells.lastIndex { !$0.isPlainBlank } ?? -1) + 1 : cells.count
        // Columns before this one may be overwritten: a terminal may have taken more of them than we do.
        var reached = 0
        var column = 0
        while column < cells.count {
            let cell = cells[column]
            let columns = column..<column + max(Int(cell.width), 1)
            if cell != shown[column] || column < reached || stale.contains(where: columns.overlaps) {
                let position = Position(column: column, row: row)
                if column >= blankTail {
                    pen.eraseLine(from: position)
                    return
                }
                pen.write(cell, at: position)
                if pictures.contains(where: { $0.columns.contains(column) }) { damaged.insert(position) }
                if !cell.grapheme.hasCertainWidth { reached = max(reached, column + cell.grapheme.reach) }
            }
            column = columns.upperBound
        }
    }
}
