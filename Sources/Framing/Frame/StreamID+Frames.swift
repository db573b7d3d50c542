package import RPCCore

/// The rules of ttrpc's PROTOCOL.md, "Stream ID": clients open calls, so a call's id is odd, and higher than the one before.
extension StreamID {
    /// The stream of frames about the connection itself. It is odd, so that a plain ttrpc server ignores them.
    package static let connection = StreamID(rawValue: 0xFFFF_FFFF)

    package var isOdd: Bool { rawValue & 1 == 1 }
}
