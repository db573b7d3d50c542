/// A writer of the cells that differ between two frames.
struct CellWriter {
    private let screen: Screen
    private let before: Screen
    /// Pictures that a drawn cell overwrites. They stay visible in cells that are not drawn.
    private let pictures: [PicturePlacement]
    /// Drawn cells that have overwritten a part of a picture.
    private(set) var damaged: Set<Position> = []

    /// - Parameters:
    ///   - screen: The new frame.
    ///   - before: The frame that the window shows, of the same size.
    ///   - pictures: The pictures of both frames, if pictures and text share the cells; else none.
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
    ///   - row: A row within the bounds.
    ///   - stale: Columns that still show a part of a removed picture.
    ///   - pen: The pen that draws.
    private mutating func drawRow(_ row: Int, _ stale: [Range<Int>], with pen: inout Pen) {
        let cells = Array(screen[row: row])
        let shown = Array(before[row: row])
        let pictures = pictures.map(\.rectangle).filter { $0.rows.contains(row) }
        // Erasing the blank end of the line would also erase pictures in it.
        let blankTail = pictures.isEmpty ? (cells.lastIndex { !$0.isPlainBlank } ?? -1) + 1 : cells.count
        // Columns before this one may be overwritten: a terminal may give a grapheme more columns than we do.
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
