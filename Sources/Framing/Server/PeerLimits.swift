/// What a server holds one connection's peer to, with the values to start from.
///
/// What is counted in time counts in 30 s windows, as swift-nio-http2 does, which had to learn it from attacks.
package struct PeerLimits: Sendable, Hashable {
    // MARK: Sizes

    /// The largest frame data that is taken in, in bytes. Larger frames are refused and skipped.
    package var maximumFrameLength = FrameDecoder.protocolMaximum
    /// The longest frame data that is taken in before its first KiB has named a method that takes more, in bytes.
    package var maximumUnnamedFrameLength = 64 * 1024
    /// Calls open at once, those included that were cancelled and whose handlers have not stopped yet.
    package var maximumStreams = 128
    /// While this many bytes wait for the peer to read them, nothing more is made for it.
    package var maximumUnsentBytes = 64 * 1024
    /// Bytes of requests that are kept, undecoded, while the peer does not read; then it is not read from either.
    package var maximumHeldBytes = 256 * 1024

    // MARK: Conduct

    /// Cancels of calls of which no message had been handed to the socket yet.
    package var cancels = RateLimit(count: 200, window: .seconds(30))
    /// Streams that ended by a fault of the peer, whoever ended them.
    package var faults = RateLimit(count: 200, window: .seconds(30))
    /// Frames that cost the server and not the peer: Ping, late Hello, unknown types, Credit for nothing.
    package var controlFrames = RateLimit(count: 200, window: .seconds(30))
    /// Faults that no working client makes, whatever it is asked to send, in a connection's life.
    package var maximumGlitches = 200

    // MARK: Times

    /// A frame that has begun must be whole after this time; the same holds for a connection's first frame over TCP.
    package var frameTimeout = Duration.seconds(10)
    /// A connection that bytes wait for is closed if its peer makes no progress for so long (`ConnectionWatchdog`: longer if
    /// it read faster before and memory is not short).
    package var writeTimeout = Duration.seconds(10)
    /// The rate at which such a peer must acknowledge, in bytes a second.
    package var minimumReadRate = 1024
    /// How long a stream's next message may wait for credit.
    package var creditTimeout = Duration.seconds(5 * 60)
    /// A connection without a call for so long is closed; nil is never, as on unix sockets.
    package var idleTimeout: Duration? = .seconds(15 * 60)
    /// A peer that speaks the extensions and sent nothing for so long is sent a Ping.
    package var keepaliveInterval = Duration.seconds(2 * 60)
    /// How long it may then send nothing before the connection is closed.
    package var keepaliveTimeout = Duration.seconds(20)

    package init() {}
}
