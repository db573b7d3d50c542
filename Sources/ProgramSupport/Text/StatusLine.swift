package import Terminal
internal import TerminalUI

package struct StatusLine: Sendable {
    private let output: (any TextOutput)?
    private var isShown = false

    private static let emptyLine = "\r\u{1B}[K"

    package init(on output: (any TextOutput)?) {
        self.output = output
    }

    package var isVisible: Bool { output != nil }

    package mutating func show(_ text: String) {
        guard let output, let columns = output.columns else { return }
        isShown = true
        try? output.write(StatusLine.emptyLine + text.truncated(toWidth: columns - 1))
    }

    /// Call it before other text is printed, which may go to the same terminal.
    package mutating func clear() {
        guard isShown, let output else { return }
        isShown = false
        try? output.write(StatusLine.emptyLine)
    }
}
