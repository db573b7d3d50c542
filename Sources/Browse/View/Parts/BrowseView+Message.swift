internal import TerminalUI

extension BrowseView {
    /// Draws the message over the status line. A long message also covers the area above it, including a sheet.
    mutating func drawMessage() {
        let area = layout.message
        screen.fill(area)
        let lines = model.messageLines(columns: area.width, rows: area.height)
        for (row, line) in zip(area.rows, lines) { screen.put(line, in: area.line(row).inset(columns: 1)) }
    }
}

extension BrowseModel {
    /// Returns the lines of the message as they are drawn.
    ///
    /// - Parameters:
    ///   - columns: The width of the window.
    ///   - rows: The maximum of rows.
    /// - Returns: The lines; none if there is no message.
    func messageLines(columns: Int, rows: Int) -> [StyledText] {
        messageText?.lines(width: max(columns - 2, 1), count: min(rows, 5)) ?? []
    }

    private var messageText: StyledText? {
        guard let message else { return nil }
        switch message.kind {
        case .info:
            let undo = message.isUndoable && lastChange != nil && !isTyping ? " u takes it back." : ""
            return StyledText(message.text.printable + undo, Style(.accent, .bold))
        case .failure:
            let again = message.retry == nil ? "" : " \(retryKey) tries again."
            return StyledText("\(Symbol.failure) \(message.text.printable)\(again)", Style(.failure, .bold))
        }
    }
}
