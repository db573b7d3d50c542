package struct Position: Sendable, Hashable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// Cells count from 0 at the upper left.
package struct Rectangle: Sendable, Hashable {
    package var column: Int
    package var row: Int
    package var width: Int
    package var height: Int

    package init(column: Int, row: Int, width: Int, height: Int) {
        self.column = column
        self.row = row
        self.width = max(width, 0)
        self.height = max(height, 0)
    }

    package var columns: Range<Int> { column..<column + width }
    package var rows: Range<Int> { row..<row + height }
    package var isEmpty: Bool { width == 0 || height == 0 }

    package func contains(_ position: Position) -> Bool {
        columns.contains(position.column) && rows.contains(position.row)
    }
}

extension Rectangle {
    package func intersection(_ other: Rectangle) -> Rectangle {
        let columns = columns.clamped(to: other.columns)
        let rows = rows.clamped(to: other.rows)
        return Rectangle(
            column: columns.lowerBound,
            row: rows.lowerBound,
            width: columns.count,
            height: rows.count
        )
    }

    package func overlaps(_ other: Rectangle) -> Bool { !intersection(other).isEmpty }

    package func contains(_ other: Rectangle) -> Bool { intersection(other) == other }

    package func inset(columns: Int = 0, rows: Int = 0) -> Rectangle {
        Rectangle(
            column: column + columns,
            row: row + rows,
            width: width - 2 * columns,
            height: height - 2 * rows
        )
    }
}
