package import RPCCore

/// What a client holds itself and its server to.
package struct RPCClientOptions: Sendable {
    /// Told to the server in Hello.
    package var software = "marvel-rpc-swift"
    /// How long one address may take to accept a connection.
    package var connectTimeout = Duration.seconds(3)
    /// Messages of one stream that may wait here for their reader: the credit that the server starts with.
    package var streamWindow: UInt32 = 16
    /// Bytes of one stream that may wait here, for servers that know no credit. More, and the call fails.
    package var maximumWaitingBytes = 16 * 1024 * 1024
    /// Calls beyond the server's limit that may wait here for others to end.
    package var maximumWaitingCalls = 1000
    /// The largest frame that is taken in, in bytes.
    package var maximumFrameLength = 4 * 1024 * 1024
    /// How long a server with calls open may be silent before it is asked for a sign of life; at least 10 s.
    package var keepaliveInterval = Duration.seconds(120)
    /// How long it may take to give one.
    package var keepaliveTimeout = Duration.seconds(20)
    /// Which failed calls are sent again; nil: none.
    package var retries: RetryPolicy? = RetryPolicy()
    /// How long an address where nobody answers is left alone.
    package var reconnecting = Backoff()

    package init() {}
}
