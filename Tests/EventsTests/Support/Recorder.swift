import Synchronization

/// What a subscriber got, in order.
final class Recorder<Value: Sendable>: Sendable {
    private let recorded = Mutex<[Value]>([])

    var values: [Value] { recorded.withLock { $0 } }

    func record(_ value: Value) { recorded.withLock { $0.append(value) } }

    /// Returns when what was recorded is as the test needs it: for what other threads do, and no event tells.
    func wait(until condition: ([Value]) -> Bool) async throws {
        while !condition(values) { try await Task.sleep(for: .milliseconds(1)) }
    }
}
