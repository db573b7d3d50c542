/// A buffer of output bytes that tracks the terminal's cursor position and style; nil if unknown.
struct Pen {
    private(set) var bytes: [UInt8] = []
    private let theme: Theme
    private let columns: Int
    private var position: Position?
    private var style: Style?
    private var sequences: [Style: String] = [:]

    init(theme: Theme, columns: Int) {
        self.theme = theme
        self.columns = columns
    }

    mutating func append(_ sequence: some Sequence<UInt8>) {
        bytes += sequence
        position = nil
    }

    mutating func append(_ sequence: String) { append(sequence.utf8) }

    mutating func move(to target: Position) {
        if let position, position == target { return }
        if let position, position.row == target.row, position.column < target.column {
            let distance = target.column - position.column
            bytes += (distance == 1 ? "\u{1B}[C" : "\u{1B}[\(distance)C").utf8
        } else {
            bytes += "\u{1B}[\(target.row + 1);\(target.column + 1)H".utf8
        }
        position = target
    }

    /// If terminals disagree on a grapheme's width, blanks go first, for terminals that use fewer columns than we do.
    /// The next cell is positioned explicitly, for terminals that use more.
    mutating func write(_ cell: Cell, at target: Position) {
        move(to: target)
        use(cell.style)
        let isCertain = cell.grapheme.hasCertainWidth
        if !isCertain {
            bytes += Array(repeating: UInt8(ascii: " "), count: Int(cell.width))
            position = nil
            move(to: target)
        }
        bytes += cell.grapheme.utf8
        let next = target.column + Int(cell.width)
        // After the last column the cursor does not move to the next line.
        position = isCertain && next < columns ? Position(column: next, row: target.row) : nil
    }

    mutating func eraseLine(from target: Position) {
        move(to: target)
        use(.plain)
        bytes += "\u{1B}[K".utf8
    }

    private mutating func use(_ wanted: Style) {
        guard style != wanted else { return }
        style = wanted
        let sequence = sequences[wanted] ?? theme.sequence(for: wanted)
        sequences[wanted] = sequence
        bytes += sequence.utf8
    }
}
