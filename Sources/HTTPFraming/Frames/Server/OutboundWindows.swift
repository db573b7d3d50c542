/// The windows that a peer gives a connection and its streams, and the DATA that was written and waits for them (RFC 9113,
/// section 5.2).
///
/// DATA may wait for two reasons. What a stream's own window holds back concerns no other stream. What the windows of the
/// streams admit shares the window of the connection, so only these bytes are compared with it.
struct OutboundWindows: Sendable {
    /// The window of a stream, and of the connection, as long as nobody has changed it (RFC 9113, section 6.9.2).
    static let defaultSize = 65_535
    /// The largest window (RFC 9113, section 6.9.1).
    static let maximumSize = Int(Int32.max)

    /// The window of one stream, and its DATA.
    struct Stream: Sendable {
        /// The bytes that the peer lets the stream still send; negative if settings made the window smaller.
        fileprivate var window: Int
        /// The bytes of DATA that were written and not sent yet.
        fileprivate(set) var unsentByteCount = 0
        /// Whether no byte was sent since the last check for stalled streams, at which some waited.
        private var isSuspect = false

        fileprivate init(window: Int) { self.window = window }

        /// The unsent bytes that the stream's own window does not hold back.
        fileprivate var admittedByteCount: Int { max(0, min(window, unsentByteCount)) }

        fileprivate mutating func sent(_ byteCount: Int) {
            unsentByteCount -= byteCount
            window -= byteCount
            isSuspect = false
        }

        /// Checks whether the peer takes the stream's DATA.
        ///
        /// - Returns: Whether some was there at the last check, and no byte was sent since.
        mutating func isStalled() -> Bool {
            let wasSuspect = isSuspect
            isSuspect = unsentByteCount > 0
            return wasSuspect && isSuspect
        }
    }

    /// The bytes that the peer lets all streams together send.
    private var connection = OutboundWindows.defaultSize
    /// The window of new streams, as the peer's settings say.
    private var initial = OutboundWindows.defaultSize
    /// The bytes of DATA of all streams that were written and not sent yet.
    private(set) var unsentByteCount = 0
    /// Those of them that no window of a stream holds back.
    private var admittedByteCount = 0

    init() {}

    func newStream() -> Stream { Stream(window: initial) }

    // MARK: Events

    /// Notes DATA that was written.
    mutating func written(_ byteCount: Int, on stream: inout Stream) {
        unsentByteCount += byteCount
        change(&stream) { $0.unsentByteCount += byteCount }
    }

    /// Whether the connection's window permits a byte.
    var isConnectionOpen: Bool { connection > 0 }

    /// Returns how many bytes of a stream's DATA may be sent now.
    func sendableByteCount(of stream: Stream) -> Int { max(0, min(stream.admittedByteCount, connection)) }

    /// Notes DATA that was written before, and is sent now.
    mutating func sent(_ byteCount: Int, on stream: inout Stream) {
        unsentByteCount -= byteCount
        connection -= byteCount
        change(&stream) { $0.sent(byteCount) }
    }

    /// Takes the windows for DATA that is written and sent at once, before none that waits.
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

    /// Forgets the DATA of a stream that is closed.
    mutating func closed(_ stream: Stream) {
        unsentByteCount -= stream.unsentByteCount
        admittedByteCount -= stream.admittedByteCount
    }

    /// Widens the connection's window.
    ///
    /// - Returns: Whether it is no larger than a window may be.
    mutating func connectionWidened(by byteCount: Int) -> Bool {
        connection += byteCount
        return connection <= Self.maximumSize
    }

    /// Widens the window of a stream.
    ///
    /// - Returns: Whether it is no larger than a window may be.
    mutating func widened(by byteCount: Int, _ stream: inout Stream) -> Bool {
        change(&stream) { $0.window += byteCount }
        return stream.window <= Self.maximumSize
    }

    /// Notes a new window of new streams. Those of open streams change by the difference.
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

    /// Whether the first byte of a further message would be sent at once. At most one message of each stream waits if none is
    /// made without that.
    func hasRoom(for stream: Stream) -> Bool {
        stream.window > stream.unsentByteCount && connection > admittedByteCount
    }

    /// Whether a part of the last message has to wait, and a status would wait behind it.
    func isStuck(_ stream: Stream) -> Bool {
        stream.unsentByteCount > 0 && (stream.window < stream.unsentByteCount || connection < admittedByteCount)
    }
}
