package import NIOCore
package import RPCCore

/// The meaning of a client's frame. What the protocol asks this side to answer is written already.
package enum HTTP2Event {
    /// The headers of a new stream. `isEnd` says that no body follows.
    case request(StreamID, HeaderList, isEnd: Bool)
    /// The last headers of a stream, behind its DATA. The peer sends nothing more on it.
    case trailers(StreamID, HeaderList)
    /// Bytes of a request's body, perhaps none.
    case data(StreamID, ByteBuffer, isEnd: Bool)
    /// The peer has reset an open stream.
    case reset(StreamID)
    /// The peer broke a rule of one stream, which this side has reset.
    case streamFault(StreamID)
    /// The stream is one more than may be open, and this side has reset it. Nothing of it has run.
    case streamRefused(StreamID)
    /// HEADERS or DATA of a stream that this side has reset, or does not serve any more. `byteCount` is what it takes of the
    /// connection's window.
    case discarded(byteCount: Int)
    /// The peer's settings.
    case settings
    /// A ping, which is answered.
    case ping
    case pingAnswer(UInt64)
    /// A frame that only changes the state of the connection: PRIORITY, RST_STREAM of a closed stream, WINDOW_UPDATE, GOAWAY,
    /// the acknowledgement of settings.
    case control
    /// A frame of an unknown type, which has no effect (RFC 9113, section 5.5).
    case unknown
    /// The peer broke a rule of the connection, of which nothing more is read.
    case connectionFault(ConnectionFault)
}
