package import NIOCore
package import RPCCore
package import RPCTransport

/// A channel that carries the client's calls as bytes. `RPCClient` implements it; tests bring their own.
package protocol RPCChannel: Sendable {
    /// The messages of a stream. Iterating sends the call. Cancelling the task, or dropping the iterator, cancels it.
    associatedtype Messages: AsyncSequence<ByteBuffer, RPCError> & Sendable

    /// Calls a method that returns one response. A `timeout` of nil sets no deadline of the caller's own.
    /// `isRepeatable` says that sending the call twice has the same effect as sending it once.
    func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool
    ) async throws(RPCError) -> ByteBuffer

    /// Calls a method that returns a stream. A call that does not wait for a server fails immediately during the
    /// backoff of all servers. Its error holds the time of the next attempt.
    func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool,
        waitsForServer: Bool
    ) -> Messages

    /// Ends the backoff of servers that did not respond.
    func connectNow()

    /// Closes the connection; active calls end with UNAVAILABLE.
    func shutdown() async
}

extension RPCClient: RPCChannel {}
