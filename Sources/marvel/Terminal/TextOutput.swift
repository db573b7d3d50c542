/// An output for text and files: a stream of the process, or a test.
protocol TextOutput: Sendable {
    /// The width of the terminal that shows the text; nil if the output is not a terminal.
    var columns: Int? { get }

    /// Writes all bytes before it returns.
    func write(_ bytes: [UInt8]) throws(OutputError)
}

extension TextOutput {
    var isTerminal: Bool { columns != nil }

    /// Writes the whole text before it returns.
    func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }
}

/// The reason why text could not be written.
enum OutputError: Error, Equatable, CustomStringConvertible {
    /// The reader has closed the pipe, as `head` does. This is not an error for the user.
    case readerGone
    case failed(reason: String)

    var description: String {
        switch self {
        case .readerGone: "the reader of the output has closed it"
        case .failed(let reason): "the output cannot be written: \(reason)"
        }
    }
}
