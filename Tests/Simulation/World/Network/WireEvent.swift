internal import NIOCore
internal import RPCCore

/// What a client sends to a server.
enum ClientWireEvent {
    case request(StreamID, MethodPath, ByteBuffer, deadline: NIODeadline?, credit: CallCredit)
    case grant(StreamID, UInt32)
    case cancel(StreamID)
}

/// What a server sends to a client.
enum ServerWireEvent {
    case message(StreamID, ByteBuffer, isLast: Bool)
    case end(StreamID)
    /// An error as `google.rpc.Status`.
    case error(StreamID, ByteBuffer)
    /// The server takes no more calls on this connection.
    case goAway
}
