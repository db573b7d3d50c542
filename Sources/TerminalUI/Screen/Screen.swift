/// What a window shows: cells, pictures over some of them, and the cursor. A value: nothing is drawn until a
/// `FrameWriter` writes the bytes that show it.
package struct Screen: Sendable, Equatable {
    package let size: TerminalSize
    /// Where the cursor blinks; nil for nowhere.
    package var cursor: Position?
    /// In the order in which they were placed; none covers another.
    package internal(set) var pictures: [PicturePlacement] = []
    /// Row by row. The second half of a wide grapheme always follows its first.
    private var cells: [Cell]

    /// Wider windows than people have are cut, so that one that lies about its size takes no memory.
    private static let maximumSide = 2_000

    /// An empty screen.
    package init(size: TerminalSize) {
        let columns = min(max(size.columns, 0), Screen.maximumSide)
        let rows = min(max(size.rows, 0), Screen.maximumSide)
        self.size = TerminalSize(columns: columns, rows: rows)
        self.cells = Array(repeating: .blank(), count: columns * rows)
    }

    package var bounds: Rectangle { Rectangle(column: 0, row: 0, width: size.columns, height: size.rows) }

    /// - Parameter position: Within the bounds.
    package subscript(_ position: Position) -> Cell {
        cells[position.row * size.columns + position.column]
    }

    /// The lines as plain text, without the spaces at their ends. Pictures are not in it, only what is beneath them.
    package var text: String {
        (0..<size.rows).map { row in
            var line = ""
            for cell in self[row: row] where cell.width > 0 { line.append(cell.grapheme) }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    subscript(row row: Int) -> ArraySlice<Cell> { cells[row * size.columns..<(row + 1) * size.columns] }

    /// Sets a cell, and its second half if it is wide. Halves that it cuts off become blanks.
    ///
    /// - Parameters:
    ///   - cell: Of width 1 or 2.
    ///   - column: So that the whole cell is within the bounds.
    ///   - row: Within the bounds.
    mutating func set(_ cell: Cell, _ column: Int, _ row: Int) {
        let start = row * size.columns
        let last = start + column + Int(cell.width) - 1
        if cells[start + column].width == 0 { cells[start + column - 1] = .blank(cells[start + column - 1].style) }
        if cells[last].width == 2 { cells[last + 1] = .blank(cells[last + 1].style) }
        cells[start + column] = cell
        if cell.width == 2 { cells[last] = .secondHalf(cell.style) }
    }

    /// Changes what is behind a cell. Both halves of a wide grapheme look alike: the first decides.
    mutating func setBackground(_ background: Color, _ column: Int, _ row: Int) {
        let index = row * size.columns + column
        guard cells[index].width > 0 else { return }
        cells[index].style.background = background
        if cells[index].width == 2 { cells[index + 1].style.background = background }
    }
}
