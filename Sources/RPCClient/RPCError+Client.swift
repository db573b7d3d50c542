internal import NIOCore
package import RPCCore

/// The errors of this side. Each says whether the server can have seen the call.
extension RPCError {
    /// The call was sent, and its connection ended before it did.
    static func connectionLost(_ server: ServerEndpoint, cause: String, isUnresponsive: Bool = false) -> RPCError {
        var metadata = ["address": "\(server)", "cause": cause, reachedServerKey: "maybe"]
        if isUnresponsive { metadata["unresponsive"] = "true" }
        return RPCError(
            .unavailable,
            reason: .connectionLost,
            "the connection to \(server) was lost before the call ended: \(cause); the server may have seen the call",
            metadata: metadata
        )
    }

    /// The call was sent, and the server said that it will not process it.
    package static func notStarted(_ server: ServerEndpoint, reason: String) -> RPCError {
        RPCError(
            .unavailable,
            reason: .callNotStarted,
            "the server at \(server) accepts no more calls (\(reason)) and did not start this one",
            metadata: ["address": "\(server)", "server_reason": reason, reachedServerKey: "no"]
        )
    }

    /// The call was not sent: there is no connection to send it on.
    ///
    /// - Parameters:
    ///   - servers: The servers that were tried.
    ///   - cause: The reason that the last attempt failed.
    ///   - nextTry: The time until the next attempt; nil if there is none.
    /// - Returns: UNAVAILABLE (SERVER_UNREACHABLE).
    static func serverUnreachable(_ servers: [ServerEndpoint], cause: ConnectFailure?, nextTry: Duration?) -> RPCError {
        let places = servers.map(\.description).joined(separator: ", ")
        var metadata = ["addresses": places, reachedServerKey: "no"]
        metadata["cause"] = cause?.cause
        metadata["unresolved_host"] = cause?.unresolvedHost
        if cause?.isPermanent == true { metadata["permanent"] = "true" }
        if cause?.isOfSecurity == true { metadata["security"] = "failed" }
        return RPCError(
            .unavailable,
            reason: .serverUnreachable,
            (cause?.isOfSecurity == true ? "no connection to \(places)" : "no server answers at \(places)")
                + (cause.map { ": \($0.cause)" } ?? ""),
            metadata: metadata,
            details: nextTry.map { [.retryInfo($0)] } ?? []
        )
    }

    static func clientQueueFull(maximum: Int) -> RPCError {
        RPCError(
            .resourceExhausted,
            reason: .clientQueueFull,
            "\(maximum) calls are queued, the client's limit",
            metadata: ["maximum": "\(maximum)", reachedServerKey: "no"]
        )
    }

    static let clientShutDown = RPCError(
        .unavailable,
        reason: .clientShutDown,
        "the client was shut down before the call ended",
        metadata: [reachedServerKey: "maybe"]
    )

    static func readerTooSlow(maximum: Int) -> RPCError {
        RPCError(
            .resourceExhausted,
            reason: .readerTooSlow,
            "more than \(maximum) unread bytes of the stream",
            metadata: ["maximum": "\(maximum)"]
        )
    }
}
