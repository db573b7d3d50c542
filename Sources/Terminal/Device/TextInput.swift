internal import Dispatch
internal import Glibc

package protocol TextInput: Sendable {
    /// Whether a person types the input.
    var isTerminal: Bool { get }

    /// A line without its line break; nil at the end of the input, or if the task was cancelled.
    func nextLine() async -> String?
}

package struct StandardInput: TextInput {
    package init() {}

    package var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads on a thread that may block. After a cancellation the thread continues and its line is lost: the program
    /// ends then.
    package func nextLine() async -> String? {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        DispatchQueue.global().async {
            if let text = readLine(strippingNewline: true) { line.yield(text) }
            line.finish()
        }
        for await text in lines { return text }
        return nil
    }
}
