import Synchronization

/// An event that a test waits for: set once, seen by all who wait before or after.
final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let flag = Atomic(false)

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() {
        flag.store(true, ordering: .releasing)
        continuation.finish()
    }

    /// Returns when the signal is set, or when the waiting task is cancelled. One waiter at a time.
    func wait() async {
        for await _ in stream {}
    }
}
