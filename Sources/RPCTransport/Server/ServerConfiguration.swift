package import Framing

/// Every limit that the server holds its peers to, with the default that it starts from.
///
/// What one connection is held to stands in `limits`, and reads as the configuration's own: `configuration.idleTimeout`.
@dynamicMemberLookup
package struct ServerConfiguration: Sendable {
    /// Told to peers in the server's Hello.
    package var software = "marvel-rpc"
    /// What each connection's peer is held to.
    package var limits = PeerLimits()
    /// Connections open at once, over all addresses.
    package var maximumConnections = 10_240
    /// Connections open at once from one address; loopback and unix sockets are not counted.
    package var maximumConnectionsPerAddress = 256
    /// While more bytes wait for peers that do not read, over all connections, the one that most waits for is closed.
    package var maximumTotalUnsentBytes = 64 * 1024 * 1024
    /// While more bytes of frames and requests are kept, over all connections, the one that most is kept of is closed.
    package var maximumTotalInboundBytes = 64 * 1024 * 1024
    /// The deadline of a call that names none and is answered with one message. Streams and watches have none then.
    package var unaryTimeout = Duration.seconds(10)
    /// How long running calls may take to finish when the server stops.
    package var drainTimeout = Duration.seconds(25)
    /// The silence of a plain client without a call after which a server that stops closes its connection. After five
    /// times as long it is closed in any case.
    package var drainQuietTime = Duration.seconds(1)
    /// The time that a client may take to close its side after the server has closed its own.
    package var lingerTimeout = Duration.seconds(2)

    package init() {}

    package subscript<Limit>(dynamicMember limit: WritableKeyPath<PeerLimits, Limit>) -> Limit {
        get { limits[keyPath: limit] }
        set { limits[keyPath: limit] = newValue }
    }
}
