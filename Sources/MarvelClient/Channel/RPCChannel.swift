package import NIOCore
package import RPCClient
package import RPCCore
internal import Synchronization
package import WireMessages

/// A channel that carries the client's calls as bytes. `RPCClient` implements it; tests have their own.
package protocol RPCChannel: Sendable {
    /// The messages of a stream. Iterating sends the call. Cancelling the task, or dropping the iterator, cancels it.
    associatedtype Messages: AsyncSequence<ByteBuffer, RPCError> & Sendable

    /// A `timeout` of nil sets no deadline. `isRepeatable` means that sending the call twice has the same effect as
    /// once.
    func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool
    ) async throws(RPCError) -> ByteBuffer

    /// A call that does not wait for a server fails immediately during the backoff of all servers. Its error contains
    /// the time of the next attempt.
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

extension WireMessage {
    /// Decodes a server's response. An invalid response is the server's fault, not the caller's.
    init(response bytes: ByteBuffer) throws(RPCError) {
        do throws(WireError) {
            try self.init(decoding: bytes, limit: .response)
        } catch {
            throw .responseInvalid("the server's answer cannot be read as \(Self.fullName): \(error)")
        }
        MarvelClient.lastResponse?.note(self)
    }
}

/// The last response that clients decoded for a task, for programs that print it unchanged.
package final class LastResponse: Sendable {
    private let received = Mutex<(any WireMessage)?>(nil)

    package init() {}

    /// The last response, if it is of this type.
    package func message<Message: WireMessage>(_ type: Message.Type = Message.self) -> Message? {
        received.withLock { $0 as? Message }
    }

    fileprivate func note(_ message: any WireMessage) { received.withLock { $0 = message } }
}

extension MarvelClient {
    /// The place where the current task's calls store their responses, if any.
    @TaskLocal package static var lastResponse: LastResponse?
}

extension RPCError {
    static func responseInvalid(_ message: String) -> RPCError {
        RPCError(.internalError, reason: .responseInvalid, message)
    }
}
