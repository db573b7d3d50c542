package struct Screen: Sendable, Equatable {
    package let size: TerminalSize
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

    package subscript(_ position: Position) -> Cell {
        cells[position.row * size.columns + position.column]
    }

    /// Without trailing spaces and without pictures.
    package var text: String {
        (0..<size.rows).map { row in
            var line = ""
            for cell in self[row: row] where cell.width > 0 { line.append(cell.grapheme) }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    subscript(row row: Int) -> ArraySlice<Cell> { cells[row * size.columns..<(row + 1) * size.columns] }

    /// The whole cell must be within the bounds. The other half of an overwritten wide grapheme becomes blank.
    mutating func set(_ cell: Cell, _ column: Int, _ row: Int) {
        let start = row * size.columns
        let last = start + column + Int(cell.width) - 1
        if cells[start + column].width == 0 { cells[start + column - 1] = .blank(cells[start + column - 1].style) }
        if cells[last].width == 2 { cells[last + 1] = .blank(cells[last + 1].style) }
        cells[start + column] = cell
        if cell.width == 2 { cells[last] = .secondHalf(cell.style) }
    }

    mutating func setBackground(_ background: Color, _ column: Int, _ row: Int) {
        let index = row * size.columns + column
        guard cells[index].width > 0 else { return }
        cells[index].style.background = background
        if cells[index].width == 2 { cells[index + 1].style.background = background }
    }
}

package struct Cell: Sendable, Hashable {
    package private(set) var grapheme: Character
    /// 1 or 2; 0 for the second half of a wide grapheme.
    package private(set) var width: Int8
    package var style: Style

    package static func blank(_ style: Style = .plain) -> Cell { Cell(" ", width: 1, style: style) }

    static func secondHalf(_ style: Style) -> Cell { Cell(" ", width: 0, style: style) }

    /// `grapheme` has no control characters, and `width` is its display width, 1 or 2.
    init(_ grapheme: Character, width: Int8, style: Style) {
        self.grapheme = grapheme.limited
        self.width = width
        self.style = style
    }

    var isPlainBlank: Bool { width == 1 && grapheme == " " && style == .plain }
}

extension Character {
    /// In scalars. Unicode allows any number of combining marks; no script needs more than this.
    private static let maximumScalars = 16

    fileprivate var limited: Character {
        if isASCII || utf8.count <= Character.maximumScalars { return self }
        let kept = String(String.UnicodeScalarView(unicodeScalars.prefix(Character.maximumScalars)))
        return kept.count == 1 ? Character(kept) : "\u{FFFD}"
    }
}
