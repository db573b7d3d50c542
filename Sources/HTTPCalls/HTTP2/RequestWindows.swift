/// The windows of a server's connection: the bytes of requests that its peer may still send (RFC 9113, section 5.2).
///
/// Received bytes are counted with the frames, padding and discarded ones too; this value decides when a window is opened
/// again.
package struct RequestWindows: Sendable {
    /// The window of a stream, and of the connection, as long as nobody has changed it (RFC 9113, section 6.9.2).
    package static let defaultSize = 65_535

    /// The kept bytes above which the connection's window is not opened again.
    private let maximumHeldByteCount: Int
    /// The bytes that the peer may still send on all streams together.
    private var connection = RequestWindows.defaultSize
    /// The kept bytes of requests that are not complete.
    package private(set) var heldByteCount = 0

    package init(maximumHeldByteCount: Int) { self.maximumHeldByteCount = maximumHeldByteCount }

    package mutating func connectionWindowChanged(to size: Int) { connection = size }

    /// Notes a change of the bytes that are kept.
    package mutating func held(_ difference: Int) { heldByteCount += difference }

    /// Decides whether the peer may send more on the connection, each time that half of the window is used.
    ///
    /// - Returns: The bytes to open the window by; 0 for none.
    package mutating func connectionIncrement() -> Int {
        guard connection <= Self.defaultSize / 2, heldByteCount <= maximumHeldByteCount else { return 0 }
        defer { connection = Self.defaultSize }
        return Self.defaultSize - connection
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
