internal import TerminalUI

extension BrowseView {
    mutating func drawAbout(scroll: Int) {
        guard let area = layout.sheetText else { return }
        drawSheetText(AboutText(model, width: area.width).lines, title: "About", scroll: scroll)
    }
}

/// The text of the About sheet.
struct AboutText {
    private let about: About
    private let timeZone: LocalZone
    private let width: Int

    init(_ model: BrowseModel, width: Int) {
        about = model.about
        timeZone = model.timeZone
        self.width = max(width, 1)
    }

    var lines: [StyledText] {
        let facts = about.info?.facts(in: timeZone) ?? []
        let parts = [notice, facts.flatMap { StyledText.field($0.name, $0.value, width: width) }]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [StyledText()]))
    }

    private var notice: [StyledText] {
        if about.isAwaited { return about.info == nil ? [StyledText("Asking the server…", Style(.muted))] : [] }
        guard let failure = about.failure else { return [] }
        let text = failure.text + (failure.canRetry ? " r tries again." : "")
        return StyledText(text, Style(.warning)).lines(width: width, count: .max)
    }
}
