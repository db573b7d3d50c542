internal import Synchronization
internal import Upstream

/// A request to stop a mirror after its current step. It also ends a wait of the mirror.
package final class MirrorStop: Sendable {
    private struct State {
        var isRequested = false
        var sleeper: Task<Void, any Error>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Requests the mirror to stop.
    ///
    /// - Returns: Whether this is the first request.
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

    /// Waits for a time, or until a stop is requested. It must not be called concurrently.
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
