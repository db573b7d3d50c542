internal import Synchronization

/// The counters of a cache and of its calls to a gateway, for the operator.
package final class UpstreamCounts: Sendable {
    package enum Event: Int, Sendable, CaseIterable {
        /// A fresh answer came from the cache.
        case hit
        /// A stale answer came from the cache.
        case stale
        /// A request was sent to the gateway.
        case call
        /// A request was not sent because of the budget, the circuit breaker or the limit of calls.
        case refused
        /// A request was sent and failed.
        case failed
    }

    private let counts = InlineArray<5, Atomic<Int>> { _ in Atomic(0) }
    private let waiters = Atomic(0)

    package init() {}

    package subscript(event: Event) -> Int { counts[event.rawValue].load(ordering: .relaxed) }

    /// The number of callers that wait for answers now.
    package var waiting: Int { waiters.load(ordering: .relaxed) }

    func count(_ event: Event) { counts[event.rawValue].wrappingAdd(1, ordering: .relaxed) }
    func waitBegan() { waiters.wrappingAdd(1, ordering: .relaxed) }
    func waitEnded() { waiters.wrappingSubtract(1, ordering: .relaxed) }
}
