import NIOCore

/// The messages of a PostgreSQL server after the start of a session, cut from its bytes: a letter, the length with itself,
/// and the contents.
struct BackendMessages {
    private static let notification = UInt8(ascii: "A")

    private var bytes = ByteBuffer()

    mutating func append(_ received: ByteBuffer) { bytes.writeImmutableBuffer(received) }

    /// Returns the next complete message.
    mutating func next() -> (message: ByteBuffer, isNotification: Bool)? {
        let start = bytes.readerIndex
        guard let type = bytes.getInteger(at: start, as: UInt8.self),
            let length = bytes.getInteger(at: start + 1, as: UInt32.self),
            let message = bytes.readSlice(length: 1 + Int(length))
        else { return nil }
        return (message, type == Self.notification)
    }
}
