internal import Framing
internal import NIOCore
internal import RPCCore

/// One call, from the moment it is made to its end, over all its tries.
///
/// It is made by its caller and handed to the client's event loop.
///
/// `@unchecked Sendable`: what varies is touched on that loop only; the rest is constant.
final class ClientCall: @unchecked Sendable {
    enum Phase {
        /// On its way to the loop.
        case new
        /// Waits for a connection, or for its turn on one.
        case queued
        case open(ClientConnectionHandler, StreamID)
        /// Failed, and waits to be tried again.
        case resting(Scheduled<Void>)
        case ended(Result<Void, RPCError>)
    }

    /// Who waits for what the call brings.
    enum Reader {
        /// Of a unary call.
        case caller(CheckedContinuation<Result<ByteBuffer, RPCError>, Never>)
        /// Of a stream.
        case queue(MessageQueue)
    }

    let deadline: NIODeadline?
    let request: OutgoingRequest
    var phase = Phase.new
    /// Tries that failed.
    var failures = 0
    /// How often the addresses were tried in vain while it waited.
    var vainAttempts = 0
    private(set) var hasMessage = false
    /// Of a unary call.
    private var answer: ByteBuffer?
    private var reader: Reader?

    init(_ request: OutgoingRequest, deadline: NIODeadline?, queue: MessageQueue? = nil) {
        self.request = request
        self.deadline = deadline
        self.reader = queue.map(Reader.queue)
    }

    var hasEnded: Bool {
        if case .ended = phase { return true }
        return false
    }

    /// The caller waits. If it gave up on the way here, it learns so at once.
    func attach(_ caller: CheckedContinuation<Result<ByteBuffer, RPCError>, Never>) {
        reader = .caller(caller)
        if case .ended(let result) = phase { tell(result) }
    }

    /// Hands a message over. It never waits for the reader.
    ///
    /// - Returns: False if more messages wait for the reader than may.
    func deliver(_ message: ByteBuffer) -> Bool {
        hasMessage = true
        guard case .queue(let queue) = reader else {
            answer = message
            return true
        }
        return queue.push(message)
    }

    /// The call is over. Only the first end counts; messages that came before it are still read.
    func end(_ result: Result<Void, RPCError>) {
        guard !hasEnded else { return }
        phase = .ended(result)
        tell(result)
    }

    private func tell(_ result: Result<Void, RPCError>) {
        switch reader {
        case .caller(let caller): caller.resume(returning: result.flatMap(answered))
        case .queue(let queue): queue.finish(result)
        case nil: break
        }
        reader = nil
        answer = nil
    }

    private func answered() -> Result<ByteBuffer, RPCError> {
        guard let answer else {
            return .failure(RPCError(.internalError, "the server ended the call without an answer"))
        }
        return .success(answer)
    }
}
