/// Every limit that the server holds its peers to, with the default that it starts from.
package struct ServerConfiguration: Sendable {
    /// Told to peers in the server's Hello.
    package var software = "marvel-rpc"
    /// The largest frame data that is taken in, in bytes. Larger frames are refused and skipped.
    package var maximumFrameLength = 4 * 1024 * 1024
    /// Calls open at once on one connection.
    package var maximumStreams = 128
    /// Connections open at once, over all addresses.
    package var maximumConnections = 10_240
    /// Connections open at once from one address; loopback and unix sockets are not counted.
    package var maximumConnectionsPerAddress = 256
    /// While this many bytes wait for a peer to read them, nothing more is made for it.
    package var maximumUnsentBytes = 64 * 1024
    /// A connection whose unsent bytes do not shrink for so long is closed.
    package var writeTimeout = Duration.seconds(10)
    /// A frame that has begun must be whole after this time; the same holds for a connection's first frame.
    package var frameTimeout = Duration.seconds(10)
    /// The deadline of a unary call that names none. Streams have none then.
    package var unaryTimeout = Duration.seconds(10)
    /// How long running calls may take to finish when the server stops.
    package var drainTimeout = Duration.seconds(25)

    package init() {}
}
