package import RPCCore

/// The limits and settings of a client.
package struct RPCClientOptions: Sendable {
    /// The software name that servers are told.
    package var software = "marvel-rpc-swift"
    /// The token with which calls are made; nil for none.
    package var credentials: ClientCredentials?
    /// The time that one address may take to accept a connection.
    package var connectTimeout = Duration.seconds(3)
    /// The messages of one stream that may wait here for their reader: the initial credit of the server. 0 is no limit.
    package var streamWindow: UInt32 = 16
    /// The bytes of one stream that may wait here, for servers that know no credit. Above it the call fails.
    package var maximumWaitingBytes = 16 * 1024 * 1024
    /// The largest accepted message, with its frame, in bytes.
    package var maximumFrameLength = 4 * 1024 * 1024
    /// The number of calls that may wait here for a connection, or for the server's stream limit. One more fails at
    /// once.
    package var maximumWaitingCalls = 1_000
    /// Whether calls over the server's limit of open calls wait here. If not, the server refuses them.
    package var heedsStreamLimit = true
    /// The retry policy; nil means no retries.
    package var retries: RetryPolicy? = RetryPolicy()
    /// The backoff of an address that does not answer.
    package var reconnecting = AddressBook.defaultBackoff
    /// The silence of a server with open calls after which it is sent a Ping.
    package var keepaliveInterval = Duration.seconds(120)
    /// The silence after a Ping, and the time without acknowledgement of sent data, after which a server counts as
    /// dead.
    package var keepaliveTimeout = Duration.seconds(20)
    /// The first stream id. It is odd; other than 1 only in tests.
    package var firstStreamID: UInt32 = 1

    package init() {}
}
