internal import NIOCore

/// What the frames of the extensions hold where a machine has to look inside. One of another length is none.
extension Frame {
    static let pingByteCount: UInt32 = 8
    static let creditByteCount: UInt32 = 4

    /// Whether this asks for a Pong. What it holds is the sender's business.
    var isPing: Bool {
        header.type == .ping && header.streamID == .connection && header.length == Self.pingByteCount
    }

    /// How many more messages a Credit grants.
    var credit: UInt32? {
        guard header.type == .credit, header.length == Self.creditByteCount else { return nil }
        return data.getInteger(at: data.readerIndex)
    }
}
