package import NIOCore
package import RPCCore

/// Requests of a connection that have begun and are not complete, with the times by which they have to be.
///
/// There are no more of them than open streams, and most leave in the order in which they came.
package struct IncompleteRequests: Sendable {
    private let timeout: TimeAmount
    private var requests: [(id: StreamID, deadline: NIODeadline)] = []

    /// - Parameter timeout: The time until a request has to be complete.
    package init(timeout: Duration) { self.timeout = TimeAmount(timeout) }

    package var isEmpty: Bool { requests.isEmpty }

    /// The time of the next `nextExpired`; nil if there is none.
    package var nextCheck: NIODeadline? { requests.first?.deadline }

    package mutating func began(_ id: StreamID, now: NIODeadline) { requests.append((id, now + timeout)) }

    /// Notes that a request is complete, or that nothing more of it is wanted. It has no effect if that was noted before.
    package mutating func ended(_ id: StreamID) {
        if let index = requests.firstIndex(where: { $0.id == id }) { requests.remove(at: index) }
    }

    /// Gives a request that is not complete its time again.
    package mutating func restarted(_ id: StreamID, now: NIODeadline) {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
        requests.remove(at: index)
        began(id, now: now)
    }

    /// Returns the oldest request whose time is over; nil if there is none.
    package func nextExpired(now: NIODeadline) -> StreamID? {
        requests.first.flatMap { $0.deadline <= now ? $0.id : nil }
    }

    /// The oldest request.
    package var first: StreamID? { requests.first?.id }
}
