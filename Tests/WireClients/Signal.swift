import Synchronization

/// Returns when the condition holds, for what no event tells: a counter, a number of connections.
package func eventually(_ condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: .milliseconds(1)) }
}

/// An event that a test waits for: set once or more, seen by all who wait before or after.
package final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let flag = Atomic(false)

    package init() { (stream, continuation) = AsyncStream.makeStream() }

    package var isSet: Bool { flag.load(ordering: .acquiring) }

    package func set() {
        flag.store(true, ordering: .releasing)
        continuation.finish()
    }

    /// Returns when the signal is set, or when the waiting task is cancelled. One waiter at a time.
    package func wait() async { for await _ in stream {} }
}
