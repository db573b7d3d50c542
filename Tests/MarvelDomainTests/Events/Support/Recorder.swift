import MarvelDomain
import Synchronization

/// The values that a subscriber got, in order.
final class Recorder<Value: Sendable>: Sendable {
    private let recorded = Mutex<[Value]>([])

    var values: [Value] { recorded.withLock { $0 } }

    func record(_ value: Value) { recorded.withLock { $0.append(value) } }

    /// Returns when what was recorded is as the test needs it: for what other threads do, and no event tells.
    func wait(until condition: ([Value]) -> Bool) async throws {
        while !condition(values) { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Delivers when the test lets it.
final class HeldDelivery: Sendable {
    private struct Work {
        let run: @Sendable () -> Void
    }

    private let held = Mutex<[Work]>([])

    var delivery: @Sendable (@escaping @Sendable () -> Void) -> Void {
        { [self] work in held.withLock { $0.append(Work(run: work)) } }
    }

    func deliver() {
        let work = held.withLock { held in
            defer { held = [] }
            return held
        }
        for work in work { work.run() }
    }
}
