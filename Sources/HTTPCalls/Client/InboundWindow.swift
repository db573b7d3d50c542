/// The window of a stream: the bytes that the server may still send, as the credit of the stream's reader.
struct InboundWindow {
    /// The bytes that may wait for the reader; the window's size while none wait.
    private let target: Int
    /// The bytes that the server may still send.
    private var size: Int
    /// The bytes of messages that the reader has not taken.
    private var heldByteCount = 0

    /// - Parameters:
    ///   - size: The size of a new stream's window, as the connection's settings say.
    ///   - target: The bytes that may wait for the reader.
    init(_ size: Int, target: Int) {
        self.size = size
        self.target = target
    }

    /// Notes bytes of DATA, with their padding.
    mutating func received(_ byteCount: Int) { size -= byteCount }

    /// Notes a message that waits for its reader.
    mutating func hold(_ byteCount: Int) { heldByteCount += byteCount }

    /// Notes messages that were taken.
    mutating func release(_ byteCount: Int) { heldByteCount = max(0, heldByteCount - byteCount) }

    /// Decides whether the server may send more.
    ///
    /// - Parameter missing: The bytes that a message lacks of which a part has arrived. They are always let in, because nobody
    ///   can take a part of a message. So at most one message more than the target waits.
    /// - Returns: The bytes to widen the window by; 0 for none.
    mutating func widening(missing: Int) -> Int {
        let free = target - heldByteCount - size
        // Each time that half of it is free, so that a window update is rare.
        let increment = missing > size ? missing - size : free >= max(1, target / 2) ? free : 0
        size += increment
        return increment
    }
}
