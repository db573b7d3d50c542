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
    /// The largest frame that is taken in, in bytes.
    package var maximumFrameLength = 4 * 1024 * 1024
    /// Calls that may wait here for a connection, or for the server's stream limit. One more fails at once.
    package var maximumWaitingCalls = 1_000
    /// Which failed calls are sent again, and when; nil: none.
    package var retries: RetryPolicy? = RetryPolicy()
    /// How long an address where nobody answers is left alone.
    package var reconnecting = AddressBook.defaultBackoff
    /// A server that was silent for so long while calls are open is asked for a sign of life.
    package var keepaliveInterval = Duration.seconds(120)
    /// How long it may then be silent, and how long what was sent may stay unacknowledged, before it counts as gone.
    package var keepaliveTimeout = Duration.seconds(20)
    /// Odd; other than 1 only in tests.
    package var firstStreamID: UInt32 = 1

    package init() {}
}
