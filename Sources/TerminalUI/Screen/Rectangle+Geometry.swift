extension Rectangle {
    /// Returns the cells that both rectangles share; an empty rectangle if there are none.
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

    /// Returns the rectangle without a margin of this many cells on each side.
    package func inset(columns: Int = 0, rows: Int = 0) -> Rectangle {
        Rectangle(
            column: column + columns,
            row: row + rows,
            width: width - 2 * columns,
            height: height - 2 * rows
        )
    }
}
