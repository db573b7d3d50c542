/// Runs a test, and then what has to follow it, in whichever way the test ends.
///
/// - Throws: The error of the test, or that of its end.
package func running(_ body: () async throws -> Void, finally end: () async throws -> Void) async throws {
    do {
        try await body()
    } catch {
        try? await end()
        throw error
    }
    try await end()
}
