internal import TerminalUI

extension Rectangle {
    /// Its first columns.
    func first(_ width: Int) -> Rectangle {
        Rectangle(column: column, row: row, width: min(width, self.width), height: height)
    }

    /// Its last columns.
    func last(_ width: Int) -> Rectangle {
        let width = min(width, self.width)
        return Rectangle(column: column + self.width - width, row: row, width: width, height: height)
    }

    func dropFirst(_ width: Int) -> Rectangle { last(self.width - min(width, self.width)) }

    func dropLast(_ width: Int) -> Rectangle { first(self.width - min(width, self.width)) }

    /// Where it is if its origin is that of another one.
    func moved(to origin: Rectangle) -> Rectangle {
        Rectangle(column: column + origin.column, row: row + origin.row, width: width, height: height)
    }
}

/// Hands out the rows of an area, from above and below, as far as there are any.
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
