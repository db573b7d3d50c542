/// A peer's windows for a connection and its streams, and DATA that waits for them (RFC 9113, section 5.2).
///
/// DATA may wait for two reasons. DATA beyond a stream's own window concerns no other stream. DATA within the streams'
/// windows shares the window of the connection, so only these bytes are compared with it.
struct OutboundWindows: Sendable {
    /// The initial window of a stream, and of the connection (RFC 9113, section 6.9.2).
    static let defaultSize = 65_535
    /// RFC 9113, section 6.9.1.
    static let maximumSize = Int(Int32.max)

    struct Stream: Sendable {
        /// The bytes that the stream may still send; negative if settings made the window smaller.
        fileprivate var window: Int
        fileprivate(set) var unsentByteCount = 0
        /// Whether no byte was sent since the last check for stalled streams, at which some waited.
        private var isSuspect = false

        fileprivate init(window: Int) { self.window = window }

        fileprivate var admittedByteCount: Int { max(0, min(window, unsentByteCount)) }

        fileprivate mutating func sent(_ byteCount: Int) {
            unsentByteCount -= byteCount
            window -= byteCount
            isSuspect = false
        }

        /// Whether bytes waited at the last check, and no byte was sent since.
        mutating func isStalled() -> Bool {
            let wasSuspect = isSuspect
            isSuspect = unsentByteCount > 0
            return wasSuspect && isSuspect
        }
    }

    /// The bytes that all streams together may send.
    private var connection = OutboundWindows.defaultSize
    /// The window of new streams, from the peer's settings.
    private var initial = OutboundWindows.defaultSize
    /// The bytes of DATA of all streams that were written and not yet sent.
    private(set) var unsentByteCount = 0
    private var admittedByteCount = 0

    init() {}

    func newStream() -> Stream { Stream(window: initial) }

    // MARK: Events

    mutating func written(_ byteCount: Int, on stream: inout Stream) {
        unsentByteCount += byteCount
        change(&stream) { $0.unsentByteCount += byteCount }
    }

    var isConnectionOpen: Bool { connection > 0 }

    func sendableByteCount(of stream: Stream) -> Int { max(0, min(stream.admittedByteCount, connection)) }

    /// DATA that was written before is sent now.
    mutating func sent(_ byteCount: Int, on stream: inout Stream) {
        unsentByteCount -= byteCount
        connection -= byteCount
        change(&stream) { $0.sent(byteCount) }
    }

    /// Takes the windows for DATA that is written and sent immediately, without overtaking waiting DATA.
    ///
    /// - Returns: Whether both windows have room for all of it.
    mutating func takeAtOnce(_ byteCount: Int, on stream: inout Stream) -> Bool {
        guard stream.unsentByteCount == 0 else { return false }
        guard byteCount > 0 else { return true }
        guard stream.window >= byteCount, connection - admittedByteCount >= byteCount else { return false }
        connection -= byteCount
        stream.window -= byteCount
        return true
    }

    mutating func closed(_ stream: Stream) {
        unsentByteCount -= stream.unsentByteCount
        admittedByteCount -= stream.admittedByteCount
    }

    /// Returns whether the connection's window is within the maximum.
    mutating func connectionWidened(by byteCount: Int) -> Bool {
        connection += byteCount
        return connection <= Self.maximumSize
    }

    /// Returns whether the stream's window is within the maximum.
    mutating func widened(by byteCount: Int, _ stream: inout Stream) -> Bool {
        change(&stream) { $0.window += byteCount }
        return stream.window <= Self.maximumSize
    }

    /// Sets the window of new streams. Those of open streams change by the difference.
    ///
    /// - Returns: The difference, for `widened`.
    mutating func initialWindowChanged(to size: Int) -> Int {
        defer { initial = size }
        return size - initial
    }

    private mutating func change(_ stream: inout Stream, _ change: (inout Stream) -> Void) {
        admittedByteCount -= stream.admittedByteCount
        change(&stream)
        admittedByteCount += stream.admittedByteCount
    }

    // MARK: Decisions

    /// Whether the first byte of a further message could be sent now. If messages are made only then, at most one
    /// message of each stream waits.
    func hasRoom(for stream: Stream) -> Bool {
        stream.window > stream.unsentByteCount && connection > admittedByteCount
    }

    /// Whether a part of the last message must wait, and a status would wait behind it.
    func isStuck(_ stream: Stream) -> Bool {
        stream.unsentByteCount > 0 && (stream.window < stream.unsentByteCount || connection < admittedByteCount)
    }
}
