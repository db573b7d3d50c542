import Foundation

/// The failure of a trial.
struct RunError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Waits for the doing of another process, of which no event tells.
///
/// - Parameters:
///   - what: What is waited for, for the error.
///   - limit: How long at most.
///   - condition: Asked every few milliseconds.
/// - Throws: `RunError` when the time is over.
func wait(
    for what: String,
    atMost limit: Duration = .seconds(30),
    until condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { throw RunError("\(what): not within \(limit)") }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Prints progress to stderr; stdout is for the result.
func show(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

/// Returns the last lines of a log.
func lastLines(of log: String) -> String {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").suffix(10).joined(separator: "\n")
}
