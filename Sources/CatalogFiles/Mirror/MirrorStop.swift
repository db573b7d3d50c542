internal import Catalog
internal import Synchronization

/// Stops a mirror when what is under way is done, and wakes it when it waits.
package final class MirrorStop: Sendable {
    private struct State {
        var isRequested = false
        var sleeper: Task<Void, any Error>?
    }

    private let state = Mutex(State())

    package init() {}

    /// - Returns: false if it was requested before.
    @discardableResult
    package func request() -> Bool {
        let (isFirst, sleeper) = state.withLock { state in
            defer { state.isRequested = true }
            return (!state.isRequested, state.sleeper)
        }
        sleeper?.cancel()
        return isFirst
    }

    package var isRequested: Bool { state.withLock(\.isRequested) }

    /// Returns after that time, or when it is requested to stop. For one caller at a time.
    func sleep(_ duration: Duration, _ clock: UpstreamClock) async {
        let sleeper = Task { try await clock.sleep(duration) }
        let isRequested = state.withLock { state in
            state.sleeper = sleeper
            return state.isRequested
        }
        if isRequested { sleeper.cancel() }
        _ = await withTaskCancellationHandler {
            await sleeper.result
        } onCancel: {
            sleeper.cancel()
        }
        state.withLock { $0.sleeper = nil }
    }
}
