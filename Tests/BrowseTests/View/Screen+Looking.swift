import TerminalUI

@testable import Browse

/// The parts of a screen that tests look at.
extension Screen {
    /// The lines as plain text, with pictures as `▒`.
    var textWithPictures: String {
        var screen = self
        for area in pictures.map(\.rectangle) {
            let line = String(repeating: "▒", count: area.width)
            for row in area.rows { screen.put(line, .plain, in: area.line(row)) }
        }
        return screen.text
    }

    /// One row, with all its spaces.
    func line(_ row: Int) -> String {
        (0..<size.columns).map { self[Position(column: $0, row: row)] }.filter { $0.width > 0 }
            .map { String($0.grapheme) }.joined()
    }

    /// Returns the start of a text, row by row from above.
    func find(_ text: String) -> Position? {
        for row in 0..<size.rows {
            if let range = line(row).firstRange(of: text) {
                return Position(column: line(row)[..<range.lowerBound].displayWidth, row: row)
            }
        }
        return nil
    }

    /// Returns the style of the first letter of a text.
    func style(of text: String) -> Style? { find(text).map { self[$0].style } }
}
