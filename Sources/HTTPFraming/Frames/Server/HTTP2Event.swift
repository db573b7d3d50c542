package import NIOCore
package import RPCCore

/// The meaning of a client's frame. Answers that the protocol requires are already written.
package enum HTTP2Event {
    /// The headers of a new stream. `isEnd` means that there is no body.
    case request(StreamID, HeaderList, isEnd: Bool)
    /// The last headers of a stream, after its DATA. The peer sends nothing more on it.
    case trailers(StreamID, HeaderList)
    /// Bytes of a request's body, perhaps empty.
    case data(StreamID, ByteBuffer, isEnd: Bool)
    /// The peer has reset an open stream.
    case reset(StreamID)
    /// The peer broke a rule of one stream, which this side has reset.
    case streamFault(StreamID)
    /// The stream exceeds the limit, and this side has reset it. Nothing of it has run.
    case streamRefused(StreamID)
    /// HEADERS or DATA of a stream that this side has reset, or no longer serves. `byteCount` is its part of the
    /// connection's window.
    case discarded(byteCount: Int)
    case settings
    /// A ping, which is answered.
    case ping
    case pingAnswer(UInt64)
    /// A frame that only changes the state of the connection: PRIORITY, RST_STREAM of a closed stream, WINDOW_UPDATE,
    /// GOAWAY, the acknowledgement of settings.
    case control
    /// A frame of an unknown type, which has no effect (RFC 9113, section 5.5).
    case unknown
    /// The peer broke a rule of the connection, which is no longer read.
    case connectionFault(ConnectionFault)
}
