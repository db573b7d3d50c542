internal import Synchronization

/// What happened between the callers and a gateway, for the operator.
package final class UpstreamCounts: Sendable {
    package enum Event: Int, Sendable, CaseIterable {
        /// An answer was given that was fetched earlier.
        case hit
        /// The same, and it is older than it should be.
        case stale
        /// A request went to the gateway.
        case call
        /// A request did not go: the budget, the circuit breaker or the limit of calls held it back.
        case refused
        /// A request went and failed.
        case failed
    }

    private let counts = InlineArray<5, Atomic<Int>> { _ in Atomic(0) }
    private let waiters = Atomic(0)

    package init() {}

    package subscript(event: Event) -> Int { counts[event.rawValue].load(ordering: .relaxed) }

    /// Callers that wait for answers now.
    package var waiting: Int { waiters.load(ordering: .relaxed) }

    func count(_ event: Event) { counts[event.rawValue].wrappingAdd(1, ordering: .relaxed) }
    func waitBegan() { waiters.wrappingAdd(1, ordering: .relaxed) }
    func waitEnded() { waiters.wrappingSubtract(1, ordering: .relaxed) }
}
