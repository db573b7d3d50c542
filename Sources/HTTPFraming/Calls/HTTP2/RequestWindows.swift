package import RPCCore

/// The windows of a server's connection: the bytes of requests that its peer may still send (RFC 9113, section 5.2).
///
/// The window of the connection is always opened again, so that no request stops another. The windows of the streams bound the
/// memory. Each stream may fill its first window. What a request needs beyond it is admitted in the order of arrival, up to a
/// limit for all requests of the connection; one request is always admitted, however large it is. So the largest request is
/// received whole, and the requests behind it wait for its end.
///
/// Received bytes are counted with the frames, padding and discarded ones too; this value decides when a window is opened
/// again.
package struct RequestWindows: Sendable {
    /// The window of a stream, and of the connection, as long as nobody has changed it (RFC 9113, section 6.9.2).
    package static let defaultSize = 65_535

    /// A request, and the bytes that it needs beyond its first window.
    private struct Need {
        let id: StreamID
        let byteCount: Int
    }

    /// The maximum bytes of all requests beyond their first windows, unless a single request needs more.
    private let maximumAdmittedByteCount: Int
    private var admitted: [Need] = []
    /// The requests that are not admitted, the oldest first.
    private var waiting: [Need] = []
    /// The bytes that the peer may still send on all streams together.
    private var connection = RequestWindows.defaultSize
    /// The kept bytes of requests that are not complete.
    package private(set) var heldByteCount = 0

    package init(maximumAdmittedByteCount: Int) { self.maximumAdmittedByteCount = maximumAdmittedByteCount }

    package mutating func connectionWindowChanged(to size: Int) { connection = size }

    /// Notes a change of the bytes that are kept.
    package mutating func held(_ difference: Int) { heldByteCount += difference }

    /// Returns the bytes to open the connection's window by, each time that half of it is used; otherwise 0.
    package mutating func connectionIncrement() -> Int {
        guard connection <= Self.defaultSize / 2 else { return 0 }
        defer { connection = Self.defaultSize }
        return Self.defaultSize - connection
    }

    // MARK: Streams

    /// Decides whether a request may have more than its first window. If not, it waits, and `nextAdmitted` names it later.
    ///
    /// - Parameters:
    ///   - id: The stream of the request.
    ///   - byteCount: The maximum of bytes that the request may still need, without those that its window allows.
    /// - Returns: Whether the request is admitted.
    package mutating func admits(_ id: StreamID, _ byteCount: Int) -> Bool {
        if admitted.contains(where: { $0.id == id }) { return true }
        if !waiting.contains(where: { $0.id == id }) { waiting.append(Need(id: id, byteCount: byteCount)) }
        guard waiting.first?.id == id, hasRoom(for: waiting[0]) else { return false }
        admitted.append(waiting.removeFirst())
        return true
    }

    /// Notes that a request is complete, or that nothing more of it is wanted.
    package mutating func ended(_ id: StreamID) {
        admitted.removeAll { $0.id == id }
        waiting.removeAll { $0.id == id }
    }

    /// Admits the next request that waits; nil if there is none, or no room for it.
    package mutating func nextAdmitted() -> StreamID? {
        guard let next = waiting.first, hasRoom(for: next) else { return nil }
        admitted.append(waiting.removeFirst())
        return next.id
    }

    private func hasRoom(for need: Need) -> Bool {
        admitted.isEmpty || admitted.reduce(need.byteCount) { $0 + $1.byteCount } <= maximumAdmittedByteCount
    }

    /// Decides whether the peer may send more on a stream, after bytes of a request that is not complete.
    ///
    /// - Parameters:
    ///   - size: The bytes that the peer may still send, without those that have arrived.
    ///   - missing: The bytes that a message lacks of which a part has arrived. They are let in at once, since a message may be
    ///     longer than a window. 0 if its length is not known.
    /// - Returns: The bytes to open the window by; 0 for none.
    package static func streamIncrement(size: Int, missing: Int) -> Int {
        if missing > 0 { return max(0, missing - size) }
        return size <= defaultSize / 2 ? defaultSize - size : 0
    }
}
