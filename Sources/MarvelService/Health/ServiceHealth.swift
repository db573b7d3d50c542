package import RPCCore
internal import Synchronization
internal import WireMessages

/// The health status of the server: it serves from the start until its drain begins, or its store takes no more changes.
///
/// It is a log of statuses, which those who watch it read: number 0 is that it serves, 1 that it does not.
package final class ServiceHealth: MessageLog {
    package static let serviceName = HealthMethods.serviceName

    static let serving = EncodedMessage(HealthCheckResponse(status: .serving).encoded())
    static let notServing = EncodedMessage(HealthCheckResponse(status: .notServing).encoded())

    private struct State {
        var isServing = true
        var wakers: [Int: Waker] = [:]
        var lastWaker = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var isServing: Bool { state.withLock(\.isServing) }

    /// The answer to a check.
    var status: EncodedMessage { isServing ? Self.serving : Self.notServing }

    /// Makes every later check answer NOT_SERVING, and tells those who watch.
    package func stopServing() {
        let wakers = state.withLock { state in
            defer { state.isServing = false }
            return state.isServing ? Array(state.wakers.values) : []
        }
        for waker in wakers { waker() }
    }

    package func entry(after number: Int64) -> LogEntry {
        if isServing { return number < 0 ? .message(Self.serving, number: 0) : .nothing }
        return number < 1 ? .message(Self.notServing, number: 1) : .nothing
    }

    package func listen(_ waker: Waker) -> @Sendable () -> Void {
        let key = state.withLock { state in
            state.lastWaker += 1
            state.wakers[state.lastWaker] = waker
            return state.lastWaker
        }
        return { [self] in state.withLock { $0.wakers[key] = nil } }
    }
}
