internal import TerminalUI

extension Rectangle {
    /// Returns the first columns of the rectangle.
    func first(_ width: Int) -> Rectangle {
        Rectangle(column: column, row: row, width: min(width, self.width), height: height)
    }

    /// Returns the last columns of the rectangle.
    func last(_ width: Int) -> Rectangle {
        let width = min(width, self.width)
        return Rectangle(column: column + self.width - width, row: row, width: width, height: height)
    }

    func dropFirst(_ width: Int) -> Rectangle { last(self.width - min(width, self.width)) }

    func dropLast(_ width: Int) -> Rectangle { first(self.width - min(width, self.width)) }

    /// Returns the rectangle moved from coordinates relative to `origin` to absolute coordinates.
    func moved(to origin: Rectangle) -> Rectangle {
        Rectangle(column: column + origin.column, row: row + origin.row, width: width, height: height)
    }
}

/// An area from which rows are cut at the top and at the bottom, as long as rows are left.
struct RowCutter {
    private(set) var rest: Rectangle

    init(_ area: Rectangle) { rest = area }

    mutating func cutTop(_ height: Int) -> Rectangle {
        var top = rest
        top.height = min(height, rest.height)
        rest.row += top.height
        rest.height -= top.height
        return top
    }

    mutating func cutBottom(_ height: Int) -> Rectangle {
        var bottom = rest
        bottom.height = min(height, rest.height)
        rest.height -= bottom.height
        bottom.row += rest.height
        return bottom
    }
}
