package import TerminalUI

/// The view of the app in a terminal. Equal models make equal screens.
///
/// Colors are roles, and never the only sign of a state: a favorite has a star, the selection a bar, the open tab an
/// arrow, and a failure a cross.
package struct BrowseView: Sendable {
    package internal(set) var screen: Screen
    let model: BrowseModel
    let layout: BrowseLayout

    package init(_ model: BrowseModel) {
        self.model = model
        layout = model.layout
        screen = Screen(size: model.size)
        draw()
    }

    private mutating func draw() {
        guard !layout.isTooSmall else { return drawTooSmall() }
        drawHeader()
        drawField()
        drawBanner()
        drawBody()
        drawStatus()
        drawFooter()
        // Draw covering parts last.
        switch model.sheet {
        case nil: drawSuggestions()
        case .detail(let character): drawDetail(character)
        case .help: drawSheetText(title: "Help")
        }
        drawMessage()
    }

    private mutating func drawTooSmall() {
        let (size, smallest) = (model.size, BrowseLayout.smallest)
        let lines = [
            "The window is too small.",
            "It has \(size.columns) × \(size.rows); it needs at least \(smallest.columns) × \(smallest.rows).",
            "Ctrl-C quits.",
        ]
        drawCentered(lines.flatMap { $0.wrapped(toWidth: size.columns) }.map { StyledText($0) }, in: screen.bounds)
    }

    /// Draws as many lines as fit.
    mutating func drawCentered(_ lines: [StyledText], in area: Rectangle) {
        let row = area.row + max((area.height - lines.count) / 2, 0)
        for (index, line) in lines.prefix(area.height).enumerated() {
            let place = Rectangle(column: area.column, row: row + index, width: area.width, height: 1)
            screen.put(line, in: place, alignment: .center)
        }
    }
}

enum Symbol {
    static let favorite = "★"
    static let selection = "▌"
    static let openTab = "▸"
    static let pending = "…"
    static let failure = "✗"
    static let remove = "×"

    private static let spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

    static func spinner(_ frame: Int) -> String { spinner[abs(frame % spinner.count)] }
}
