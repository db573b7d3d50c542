package import NIOCore
package import RPCCore

/// A connection's incomplete requests, with their deadlines.
///
/// There are no more of them than open streams, and most leave in the order in which they came.
package struct IncompleteRequests: Sendable {
    private let timeout: TimeAmount
    private var requests: [(id: StreamID, deadline: NIODeadline)] = []

    /// - Parameter timeout: The time until a request must be complete.
    package init(timeout: Duration) { self.timeout = TimeAmount(timeout) }

    package var isEmpty: Bool { requests.isEmpty }

    package var nextCheck: NIODeadline? { requests.first?.deadline }

    package mutating func began(_ id: StreamID, now: NIODeadline) { requests.append((id, now + timeout)) }

    /// The request is complete, or no longer wanted. A second call has no effect.
    package mutating func ended(_ id: StreamID) {
        if let index = requests.firstIndex(where: { $0.id == id }) { requests.remove(at: index) }
    }

    package mutating func restarted(_ id: StreamID, now: NIODeadline) {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
        requests.remove(at: index)
        began(id, now: now)
    }

    package func nextExpired(now: NIODeadline) -> StreamID? {
        requests.first.flatMap { $0.deadline <= now ? $0.id : nil }
    }

    package var first: StreamID? { requests.first?.id }
}
