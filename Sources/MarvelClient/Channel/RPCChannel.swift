package import NIOCore
package import RPCCore

/// What carries the client's calls: bytes out, bytes in. `RPCClient` is one; tests bring their own.
package protocol RPCChannel: Sendable {
    /// Iterating sends the call. Cancelling the task, or dropping the iterator, cancels it.
    associatedtype Messages: AsyncSequence<ByteBuffer, RPCError> & Sendable

    /// Calls a method that answers once. A `timeout` of nil sets no deadline of the caller's own. A call that
    /// `isRepeatable` does no more when it is sent twice than when it is sent once.
    func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool
    ) async throws(RPCError) -> ByteBuffer

    /// Calls a method that answers with a stream. One that does not wait for a server fails at once while none is to be
    /// tried, and tells when that is.
    func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool,
        waitsForServer: Bool
    ) -> Messages

    /// Tries servers again at once that did not answer.
    func connectNow()

    /// Closes the connection; calls under way end with UNAVAILABLE.
    func shutdown() async
}
