internal import TerminalUI

extension BrowseView {
    /// Over the status and, if it is long, over all that is above it, a sheet too.
    mutating func drawMessage() {
        let area = layout.message
        screen.fill(area)
        let lines = model.messageLines(columns: area.width, rows: area.height)
        for (row, line) in zip(area.rows, lines) { screen.put(line, in: area.line(row).inset(columns: 1)) }
    }
}

extension BrowseModel {
    /// The message as it is drawn.
    ///
    /// - Parameters:
    ///   - columns: Of the window.
    ///   - rows: How many there is room for.
    /// - Returns: None if there is no message.
    func messageLines(columns: Int, rows: Int) -> [StyledText] {
        messageText?.lines(width: max(columns - 2, 1), count: min(rows, 5)) ?? []
    }

    private var messageText: StyledText? {
        guard let message else { return nil }
        switch message.kind {
        case .news:
            let undo = message.isUndoable && lastChange != nil && !isTyping ? " u takes it back." : ""
            return StyledText(message.text.printable + undo, Style(.accent, .bold))
        case .failure:
            let again = message.retry == nil ? "" : " \(retryKey) tries again."
            return StyledText("\(Sign.failure) \(message.text.printable)\(again)", Style(.failure, .bold))
        }
    }
}
