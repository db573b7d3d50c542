/// The limits that a server sets for the peer of one connection, with their defaults.
///
/// Rates are counted in 30 s windows, like those that swift-nio-http2 introduced against attacks.
package struct PeerLimits: Sendable, Hashable {
    // MARK: Sizes

    /// The largest accepted data of a frame or message, in bytes. What is larger is refused, and skipped.
    package var maximumFrameLength = 4 * 1024 * 1024
    /// The longest frame data that is accepted before its first KiB has named a method that takes more, in bytes.
    package var maximumUnnamedFrameLength = 64 * 1024
    /// The maximum number of open calls. A cancelled call counts until its handler has stopped.
    package var maximumStreams = 128
    /// The number of bytes that may wait for the peer to read them. While so many wait, no more answers are made for
    /// it.
    package var maximumUnsentBytes = 64 * 1024
    /// The bytes of requests that are kept, undecoded, while the peer does not read. When they are full, reading stops
    /// too.
    package var maximumHeldBytes = 256 * 1024

    // MARK: Behavior

    /// The limit for Cancels of calls of which no message had been handed to the socket yet.
    package var cancels = RateLimit(count: 200, window: .seconds(30))
    /// The limit for streams that ended by a fault of the peer, whichever side ended them.
    package var faults = RateLimit(count: 200, window: .seconds(30))
    /// The limit for frames that cost the server and not the peer: Ping, late Hello, unknown types, Credit without
    /// effect.
    package var controlFrames = RateLimit(count: 200, window: .seconds(30))
    /// The limit for faults that no working client makes, whatever it is asked to send, in a connection's lifetime.
    package var maximumGlitches = 200

    // MARK: Times

    /// The maximum time from a frame's first byte to its last; also the maximum wait for the first frame over TCP.
    package var frameTimeout = Duration.seconds(10)
    /// The time in which a peer has to take some of the bytes that wait for it. The acknowledgements of a slow reader come in
    /// large groups: Linux takes in 64 to 128 KiB at once, and acknowledges nothing more before the program has read most of it.
    package var writeTimeout = Duration.seconds(90)
    /// The maximum time that a stream's next message may wait for credit.
    package var creditTimeout = Duration.seconds(5 * 60)
    /// The time without a call after which a connection is closed; nil is never, as on unix sockets.
    package var idleTimeout: Duration? = .seconds(15 * 60)
    /// The silence after which a peer that speaks the extensions is sent a Ping.
    package var keepaliveInterval = Duration.seconds(2 * 60)
    /// The shortest such silence that has an effect.
    package var minimumKeepaliveInterval = Keepalive.minimumInterval
    /// The silence after a Ping after which the connection is closed.
    package var keepaliveTimeout = Duration.seconds(20)

    package init() {}
}
