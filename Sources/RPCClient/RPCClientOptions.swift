package import RPCCore

/// The limits and settings of a client.
package struct RPCClientOptions: Sendable {
    /// The software name that servers are told.
    package var software = "marvel-rpc-swift"
    /// The token with which calls are made; nil for none.
    package var credentials: ClientCredentials?
    /// The time that one address may take to accept a connection. A server that then stays silent as long counts as dead
    /// when a call's deadline passes.
    package var connectTimeout = Duration.seconds(3)
    /// The messages of one stream that may wait here for their reader: the initial credit of the server. 0 is no limit.
    package var streamWindow: UInt32 = 16
    /// The bytes of one stream that may wait here, and 64 for each message, for servers that know no credit. Above it the
    /// call fails.
    package var maximumWaitingBytes = 16 * 1024 * 1024
    /// The number of calls that may wait here for a connection, or for the server's stream limit. One more fails at
    /// once.
    package var maximumWaitingCalls = 1_000
    /// Whether calls over the server's limit of open calls wait here. If not, the server refuses them.
    package var heedsStreamLimit = true
    /// The retry policy; nil means no retries.
    package var retries: RetryPolicy? = RetryPolicy()
    /// The silence of a server with open calls after which it is sent a Ping.
    package var keepaliveInterval = Duration.seconds(120)
    /// The silence after a Ping, and the time without acknowledgement of sent data, after which a server counts as
    /// dead.
    package var keepaliveTimeout = Duration.seconds(20)
    /// The first stream id. It is odd; other than 1 only in tests.
    package var firstStreamID: UInt32 = 1

    package init() {}
}

/// The token of a client, as it is sent. It prints without its secret.
package struct ClientCredentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The value of the metadata, and of the field of Hello.
    let authorization: String
    /// Whether they may be sent where others can read them.
    private let mayBeInClear: Bool

    /// - Parameters:
    ///   - token: The token.
    ///   - mayBeInClear: Whether it may be sent to another machine over a connection that is not encrypted.
    package init(token: String, mayBeInClear: Bool = false) {
        authorization = "Bearer \(token)"
        self.mayBeInClear = mayBeInClear
    }

    /// Returns what is sent to a server.
    ///
    /// - Throws: TOKEN_IN_CLEAR if others could read it.
    func authorization(for server: ServerEndpoint) throws(RPCError) -> String {
        guard server.isSecure || server.address.isLocal || mayBeInClear else {
            throw RPCError(
                .unauthenticated,
                reason: .tokenInClear,
                "The token was not sent to \(server), because the connection is not encrypted.",
                metadata: ["server": "\(server)", RPCError.reachedServerKey: "no"]
            )
        }
        return authorization
    }

    package var description: String { "Bearer …" }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension RPCClientOptions {
    /// Returns the credentials for a server; nil if there are none.
    ///
    /// - Throws: TOKEN_IN_CLEAR if others could read them.
    package func authorization(for server: ServerEndpoint) throws(RPCError) -> String? {
        try credentials?.authorization(for: server)
    }
}
