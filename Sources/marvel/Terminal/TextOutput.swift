/// Where text and files go: a stream of the process, or a test.
protocol TextOutput: Sendable {
    /// Columns of the terminal that shows the text; nil if it is no terminal.
    var columns: Int? { get }

    /// Writes all of it before it returns.
    func write(_ bytes: [UInt8]) throws(OutputError)
}

extension TextOutput {
    var isTerminal: Bool { columns != nil }

    /// Writes all of it before it returns.
    func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }
}

/// Why text could not be written.
enum OutputError: Error, Equatable, CustomStringConvertible {
    /// Whoever read it has left, as `head` does: nothing to complain about.
    case readerGone
    case failed(reason: String)

    var description: String {
        switch self {
        case .readerGone: "nobody reads the output any more"
        case .failed(let reason): "the output cannot be written: \(reason)"
        }
    }
}
