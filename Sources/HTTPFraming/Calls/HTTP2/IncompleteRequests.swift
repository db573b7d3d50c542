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

    /// Removes the first request whose deadline has passed; or the first one, if `now` is nil.
    package mutating func takeFirst(expiredAt now: NIODeadline?) -> StreamID? {
        guard let first = requests.first, now.map({ first.deadline <= $0 }) ?? true else { return nil }
        return requests.removeFirst().id
    }
}

/// The windows of a server's connection: the bytes of requests that its peer may still send (RFC 9113, section 5.2).
///
/// The window of the connection is always opened again, so that no request stops another. The windows of the streams
/// limit the memory. Each stream may fill its first window. Requests that need more are admitted in the order of
/// arrival, up to a limit for the connection. One request is always admitted, however large it is. So the largest
/// request is received whole, and the requests behind it wait for its end.
///
/// Received bytes are counted with the frames, padding and discarded ones too; this value decides when a window is
/// opened again.
package struct RequestWindows: Sendable {
    /// The initial window of a stream, and of the connection (RFC 9113, section 6.9.2).
    package static let defaultSize = 65_535

    private struct Need {
        let id: StreamID
        let byteCount: Int
    }

    /// The maximum bytes of all requests beyond their first windows, unless a single request needs more.
    private let maximumAdmittedByteCount: Int
    private var admitted: [Need] = []
    /// Oldest first.
    private var waiting: [Need] = []
    package private(set) var heldByteCount = 0

    package init(maximumAdmittedByteCount: Int) { self.maximumAdmittedByteCount = maximumAdmittedByteCount }

    package mutating func held(_ difference: Int) { heldByteCount += difference }

    /// The bytes to open the connection's window by, when half of it is used; otherwise 0.
    package static func connectionIncrement(size: Int) -> Int { size <= defaultSize / 2 ? defaultSize - size : 0 }

    // MARK: Streams

    /// Whether a request may have more than its first window. If not, it waits, and `nextAdmitted` returns it later.
    /// `byteCount` is the maximum that it may still need, beyond its window.
    package mutating func admits(_ id: StreamID, _ byteCount: Int) -> Bool {
        if admitted.contains(where: { $0.id == id }) { return true }
        if !waiting.contains(where: { $0.id == id }) { waiting.append(Need(id: id, byteCount: byteCount)) }
        guard waiting.first?.id == id, hasRoom(for: waiting[0]) else { return false }
        admitted.append(waiting.removeFirst())
        return true
    }

    /// The request is complete, or no longer wanted.
    package mutating func ended(_ id: StreamID) {
        admitted.removeAll { $0.id == id }
        waiting.removeAll { $0.id == id }
    }

    /// Admits the next waiting request; nil without one, or without room for it.
    package mutating func nextAdmitted() -> StreamID? {
        guard let next = waiting.first, hasRoom(for: next) else { return nil }
        admitted.append(waiting.removeFirst())
        return next.id
    }

    private func hasRoom(for need: Need) -> Bool {
        admitted.isEmpty || admitted.reduce(need.byteCount) { $0 + $1.byteCount } <= maximumAdmittedByteCount
    }

    /// Decides whether the peer may send more on a stream, after bytes of an incomplete request.
    ///
    /// - Parameters:
    ///   - size: The bytes that the peer may still send, without those that have arrived.
    ///   - missing: The missing bytes of a partly received message. They are all let in, since a message may be longer
    ///     than a
    ///     window. 0 if its length is not known.
    /// - Returns: The bytes to open the window by, or 0.
    package static func streamIncrement(size: Int, missing: Int) -> Int {
        if missing > 0 { return max(0, missing - size) }
        return connectionIncrement(size: size)
    }
}
