/// The contents of a window: cells, pictures over some of them, and the cursor. It is a value, which a `FrameWriter`
/// encodes.
package struct Screen: Sendable, Equatable {
    package let size: TerminalSize
    /// Nil if it is hidden.
    package var cursor: Position?
    /// In the order of placing. No picture covers another.
    package internal(set) var pictures: [PicturePlacement] = []
    /// Row by row. The second half of a wide grapheme always follows the first half.
    private var cells: [Cell]

    /// Limits the memory if a terminal reports a wrong size.
    private static let maximumSide = 2_000

    package init(size: TerminalSize) {
        let columns = min(max(size.columns, 0), Screen.maximumSide)
        let rows = min(max(size.rows, 0), Screen.maximumSide)
        self.size = TerminalSize(columns: columns, rows: rows)
        self.cells = Array(repeating: .blank(), count: columns * rows)
    }

    package var bounds: Rectangle { Rectangle(column: 0, row: 0, width: size.columns, height: size.rows) }

    /// `position` must be within the bounds.
    package subscript(_ position: Position) -> Cell {
        cells[position.row * size.columns + position.column]
    }

    /// The lines as plain text, without trailing spaces and without pictures.
    package var text: String {
        (0..<size.rows).map { row in
            var line = ""
            for cell in self[row: row] where cell.width > 0 { line.append(cell.grapheme) }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    subscript(row row: Int) -> ArraySlice<Cell> { cells[row * size.columns..<(row + 1) * size.columns] }

    /// Sets a cell, and its second half if it is wide. The whole cell must be within the bounds. The other half of an
    /// overwritten wide grapheme becomes blank.
    mutating func set(_ cell: Cell, _ column: Int, _ row: Int) {
        let start = row * size.columns
        let last = start + column + Int(cell.width) - 1
        if cells[start + column].width == 0 { cells[start + column - 1] = .blank(cells[start + column - 1].style) }
        if cells[last].width == 2 { cells[last + 1] = .blank(cells[last + 1].style) }
        cells[start + column] = cell
        if cell.width == 2 { cells[last] = .secondHalf(cell.style) }
    }

    /// Setting the first half of a wide grapheme sets both halves; setting the second half has no effect.
    mutating func setBackground(_ background: Color, _ column: Int, _ row: Int) {
        let index = row * size.columns + column
        guard cells[index].width > 0 else { return }
        cells[index].style.background = background
        if cells[index].width == 2 { cells[index + 1].style.background = background }
    }
}
