package import RPCCore
internal import Synchronization
internal import WireMessages

/// The server serves from its start until its drain begins, or its store takes no more changes until a restart. The
/// store serves while it accepts changes, and other servers' changes arrive. The log is numbered from 0, and keeps only
/// the last status.
package final class ServiceHealth: MessageLog {
    package static let serviceName = HealthMethods.serviceName
    package static let storeName = "marvel.v1.store"

    private static let serving = EncodedMessage(HealthCheckResponse(status: .serving).encoded())
    private static let notServing = EncodedMessage(HealthCheckResponse(status: .notServing).encoded())

    private struct State {
        var isServing = true
        var hasStopped = false
        var number: Int64 = 0
    }

    private let state = Mutex(State())
    private let wakers = Wakers()

    package init() {}

    package var isServing: Bool { state.withLock(\.isServing) }

    var status: EncodedMessage { isServing ? Self.serving : Self.notServing }

    /// Every later check answers NOT_SERVING.
    package func stopServing() { change(to: false, forGood: true) }

    /// Has no effect after `stopServing`.
    package func set(isServing: Bool) { change(to: isServing, forGood: false) }

    private func change(to isServing: Bool, forGood: Bool) {
        let isNew = state.withLock { state in
            guard !state.hasStopped else { return false }
            state.hasStopped = forGood
            guard state.isServing != isServing else { return false }
            state.isServing = isServing
            state.number += 1
            return true
        }
        if isNew { wakers.wake() }
    }

    package func entry(after number: Int64) -> LogEntry {
        let (isServing, newest) = state.withLock { ($0.isServing, $0.number) }
        return number < newest ? .message(isServing ? Self.serving : Self.notServing, number: newest) : .nothing
    }

    package func listen(_ waker: Waker) -> @Sendable () -> Void { wakers.add(waker) }
}
