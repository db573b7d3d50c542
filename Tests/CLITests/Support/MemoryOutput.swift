import Synchronization
import Terminal

@testable import marvel

/// Keeps what is written to it.
final class MemoryOutput: TextOutput {
    let columns: Int?
    private let state: Mutex<(writes: [String], writesLeft: Int)>
    private let failure: OutputError

    /// - Parameters:
    ///   - columns: The width of the terminal it plays, if it plays one.
    ///   - writes: How many writes it takes before it fails.
    ///   - failure: How it fails then.
    init(columns: Int? = nil, writes: Int = .max, failure: OutputError = .readerGone) {
        self.columns = columns
        self.failure = failure
        self.state = Mutex((writes: [], writesLeft: writes))
    }

    var writes: [String] { state.withLock(\.writes) }
    var text: String { writes.joined() }

    func write(_ bytes: [UInt8]) throws(OutputError) {
        let text = String(decoding: bytes, as: UTF8.self)
        let isTaken = state.withLock { state in
            guard state.writesLeft > 0 else { return false }
            state.writesLeft -= 1
            state.writes.append(text)
            return true
        }
        if !isTaken { throw failure }
    }
}

/// One line that is typed, or none.
struct MemoryInput: TextInput {
    var line: String?
    var isTerminal = false

    func nextLine() async -> String? { line }
}
