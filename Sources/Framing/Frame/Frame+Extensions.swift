internal import NIOCore
internal import RPCCore

/// The contents of extension frames that the state machines need. A frame of another length is not that extension.
extension Frame {
    static let pingByteCount: UInt32 = 8
    static let creditByteCount: UInt32 = 4

    /// Whether this asks for a Pong. The content belongs to the sender and is not read.
    var isPing: Bool {
        header.type == .ping && header.streamID == .connection && header.length == Self.pingByteCount
    }

    /// The number of messages that a Credit grants; nil if this is no Credit.
    var credit: UInt32? {
        guard header.type == .credit, header.length == Self.creditByteCount else { return nil }
        return data.getInteger(at: data.readerIndex)
    }
}
