/// A server's limits for the peer of one connection, with their defaults.
///
/// Rates are counted in 30 s windows, like those of swift-nio-http2 against attacks.
public struct PeerLimits: Sendable, Hashable {
    // MARK: Sizes

    /// The maximum data of a frame or message, in bytes. Larger ones are refused, and skipped.
    public var maximumFrameLength = 4 * 1024 * 1024
    /// The maximum data of a frame, in bytes, before its first KiB names a method that accepts more.
    package var maximumUnnamedFrameLength = 64 * 1024
    /// The maximum number of open calls. A cancelled call counts until its handler has stopped.
    public var maximumStreams = 128
    /// The maximum number of unsent bytes. At this limit, no more answers are made.
    public var maximumUnsentBytes = 64 * 1024
    /// The maximum bytes of buffered, undecoded requests while the peer does not read. At this limit, reading stops
    /// too.
    public var maximumHeldBytes = 256 * 1024

    // MARK: Behavior

    /// For Cancels of calls without a sent message.
    package var cancels = RateLimit(count: 200, window: .seconds(30))
    /// For streams that ended by a fault of the peer, regardless of the ending side.
    package var faults = RateLimit(count: 200, window: .seconds(30))
    /// For frames that cost the server and not the peer: Ping, late Hello, unknown types, Credit without effect.
    package var controlFrames = RateLimit(count: 200, window: .seconds(30))
    package var maximumGlitches = 200

    // MARK: Times

    /// The maximum time from a frame's first byte to its last; also the maximum wait for the first frame over TCP.
    public var frameTimeout = Duration.seconds(10)
    /// The time in which a peer must acknowledge some unsent bytes. A slow reader's acknowledgements come in large
    /// groups: Linux takes 64 to 128 KiB at once, and acknowledges more only when most of it is read.
    public var writeTimeout = Duration.seconds(90)
    /// The maximum time that a stream's next message waits for credit.
    public var creditTimeout = Duration.seconds(5 * 60)
    /// The time without a call after which a connection is closed; nil for never, as on unix sockets.
    public var idleTimeout: Duration? = .seconds(15 * 60)
    /// The silence after which a peer with the extensions gets a Ping.
    public var keepaliveInterval = Duration.seconds(2 * 60)
    package var minimumKeepaliveInterval = Keepalive.minimumInterval
    /// The time that the answer to a Ping may take; then the connection is closed.
    public var keepaliveTimeout = Duration.seconds(20)

    public init() {}
}
