package import NIOCore
package import RPCCore
package import WireMessages

/// The wire of one connection of a client: it sends calls, and tells its owner what the server answers.
///
/// It is used on the channel's event loop only. Nothing is sent before `flush`.
package protocol WireConnection: AnyObject {
    /// Begins a call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - remaining: The time until the caller's deadline; nil is no limit.
    /// - Returns: The call's stream, or the reason that it has none.
    /// - Throws: The reason that the request cannot be sent on any connection.
    func open(_ request: OutgoingRequest, remaining: TimeAmount?) throws(RPCError) -> CallOpening

    /// Begins a call with a request that this connection's wire has encoded.
    func open(_ request: EncodedRequest) -> CallOpening

    /// Lets the server send more messages of a stream.
    func grant(_ credit: StreamCredit, on id: StreamID)

    /// Cancels a call; no more of its events follow.
    func abandon(_ id: StreamID)

    /// Asks the server for a sign of life.
    func ping()

    /// Sends all that was written, and closes a connection that has no call and takes none.
    func flush()

    /// Closes the connection.
    ///
    /// - Parameter cause: The reason, for people; nil if the owner knows it.
    func close(because cause: String?)

    /// Succeeds when the connection has ended.
    var closeFuture: EventLoopFuture<Void> { get }
}

/// The owner of a connection, whatever its wire.
package protocol WireConnectionOwner: AnyObject {
    /// The channel is connected. The server may not have accepted it yet.
    func opened(_ connection: any WireConnection)

    /// Bytes have arrived; their events follow.
    func bytesReceived()

    func received(_ event: ClientConnectionEvent)

    /// The events of a read have been told.
    func readEnded()

    /// The connection's protection has failed after its handshake. The end of the connection follows. A server of TLS 1.3
    /// refuses a client's certificate only then.
    func refused(_ error: SecurityError)

    /// The connection is gone, and with it all open calls.
    ///
    /// - Parameter cause: The reason, for people.
    func closed(because cause: String)
}

/// An event that a server's answers cause on a client's connection.
package enum ClientConnectionEvent: Sendable, Hashable {
    /// The server has accepted the connection, which the kernel alone does not show.
    ///
    /// `maximumStreams`: the number of calls that it allows to be open at once; 0 is no limit.
    case ready(maximumStreams: UInt32)
    /// The answer of a unary call, which is over.
    case answer(StreamID, ByteBuffer)
    /// A message of a stream; after the last one the call is over.
    case message(StreamID, ByteBuffer, isLast: Bool)
    /// The stream is over.
    case end(StreamID)
    /// The call failed: the server said so, or broke the protocol on it. It is over.
    case failure(StreamID, RPCError)
    /// The server takes no more calls on this connection. The dropped ones, which it never started, are over.
    case goAway(GoAwayMessage, dropped: [StreamID])
}

/// The room of a stream's reader that has become free.
package struct StreamCredit: Sendable, Hashable {
    /// The number of messages that were taken.
    package var messages: UInt32 = 0
    /// The bytes of these messages.
    package var byteCount = 0

    package init(messages: UInt32 = 0, byteCount: Int = 0) {
        self.messages = messages
        self.byteCount = byteCount
    }
}
