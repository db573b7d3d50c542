import ChildProcesses
import Foundation

/// `marvel` as a child process with its output in our hands. Its calls block: use `onThread`.
struct MarvelProcess {
    private let process: ChildProcess
    private let output: ReadablePipe
    private let errors: ReadablePipe
    private let hasReader: Bool

    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - hasReader: Whether anybody reads the standard output; if not, writing to it fails.
    /// - Throws: `ChildProcessError` if it cannot be started.
    init(_ arguments: [String], hasReader: Bool = true) throws {
        let (output, errors) = (try ReadablePipe(), try ReadablePipe())
        if !hasReader { output.closeReadEnd() }
        defer {
            output.closeWriteEnd()
            errors.closeWriteEnd()
        }
        process = try ChildProcess(
            MarvelProcess.program,
            arguments,
            environment: [],
            output: output.writeEnd,
            errors: errors.writeEnd
        )
        (self.output, self.errors, self.hasReader) = (output, errors, hasReader)
    }

    func interrupt() {
        process.send(SIGINT)
    }

    /// Waits for the end and returns all that was written. To be called once.
    func finish() -> (status: Int32, output: String, errors: String) {
        let outputText = hasReader ? output.text() : ""
        let errorsText = errors.text()
        return (process.wait(), outputText, errorsText)
    }

    /// Beside the test bundle that runs.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "marvel").path
}
