internal import Foundation

/// The failure of a run.
package struct RunError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Waits for what no event tells: another process's doing.
///
/// - Parameters:
///   - what: What is waited for, for the error.
///   - limit: How long at most.
///   - condition: Asked every few milliseconds.
/// - Throws: `RunError` when the time is over.
package func wait(
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

/// Says on stderr what is under way; stdout is for the result.
package enum Progress {
    package static func show(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
