package import RPCCore

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
                metadata: ["server": "\(server)"]
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
