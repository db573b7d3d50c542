public import RPCCore

/// All limits that the server sets for its peers, with their defaults.
///
/// The limits of one connection are in `limits`, and can be read as the configuration's own:
/// `configuration.idleTimeout`.
@dynamicMemberLookup
public struct ServerConfiguration: Sendable, Equatable {
    /// The software name that the server's Hello contains.
    public var software = "marvel-rpc"
    /// The limits of each connection's peer.
    public var limits = PeerLimits()
    /// The maximum number of open connections, over all addresses.
    public var maximumConnections = 10_240
    /// The maximum number of open connections from one address; loopback and unix sockets are not counted.
    public var maximumConnectionsPerAddress = 256
    /// Whether a new connection for which there is no room takes the place of one that waits for a request over HTTP/1.1.
    package var makesRoom = false
    /// The quotas of callers that are not on this machine.
    public var quotas = CallerQuotas()
    /// The maximum number of bytes, over all connections, that wait for peers that do not read. Above it the connection
    /// for which the most waits is closed.
    public var maximumTotalUnsentBytes = 64 * 1024 * 1024
    /// The maximum number of bytes of frames and requests that are kept, over all connections. Above it the connection
    /// that holds the most is closed.
    public var maximumTotalInboundBytes = 64 * 1024 * 1024
    /// The deadline of a call that names none and is answered with one message. Streams and watches have no default.
    public var unaryTimeout = Duration.seconds(10)
    /// The time that running calls may take to finish when the server stops.
    public var drainTimeout = Duration.seconds(25)
    /// The age at which a connection over HTTP drains, to which up to a tenth is added or taken away; nil is none. Its calls
    /// may then take as long as when the server stops.
    public var maximumConnectionAge: Duration?
    /// The silence of a plain client without a call after which a server that stops closes its connection. After five
    /// times as long it is closed in any case.
    package var drainQuietTime = Duration.seconds(1)
    /// The time that a client may take to close its side after the server has closed its own.
    public var lingerTimeout = Duration.seconds(2)
    /// The time that an HTTP/2 answer that is known before the end of its request waits for that end.
    package var pendingAnswerTimeout = Duration.milliseconds(500)

    public init() {}

    /// A limit of each connection.
    public subscript<Limit>(dynamicMember limit: WritableKeyPath<PeerLimits, Limit>) -> Limit {
        get { limits[keyPath: limit] }
        set { limits[keyPath: limit] = newValue }
    }
}
