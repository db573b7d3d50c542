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
