import Synchronization

@testable import Upstream

/// Time that passes when the test says so, and chance that is always the same.
final class ManualTime: Sendable {
    /// Some day in 2026, at the beginning of a minute.
    static let start = Moment(sinceEpoch: .seconds(1_790_000_040))

    private struct Sleeper {
        let end: Moment
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = ManualTime.start
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state = Mutex(State())
    private let (sleeps, begins) = AsyncStream.makeStream(of: Duration.self)

    var now: Moment { state.withLock(\.now) }

    var clock: UpstreamClock {
        UpstreamClock(now: { self.now }, sleep: { try await self.sleep($0) }, random: { 0.5 })
    }

    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.value.end <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Returns when somebody sleeps, and for how long. One waiter at a time.
    func nextSleep() async -> Duration? {
        for await duration in sleeps { return duration }
        return nil
    }

    private func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.sleepers[id] = Sleeper(end: state.now + duration, continuation: continuation)
                }
                begins.yield(duration)
                if Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
    }

    private func wake(_ id: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
