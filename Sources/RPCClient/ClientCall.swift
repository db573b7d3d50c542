internal import NIOCore
internal import RPCCore

/// One call from its start to its end, over all its attempts.
///
/// Its caller makes it and passes it to the client's event loop.
///
/// `@unchecked Sendable`: its variables are accessed on that loop only; the rest is constant.
final class ClientCall: @unchecked Sendable {
    enum Phase {
        /// Made, and not yet received by the loop.
        case new
        /// Waits for a connection, or for its turn on one.
        case queued
        case open(ClientConnection, StreamID)
        /// Failed, and waits for its retry.
        case backingOff(Scheduled<Void>)
        case ended(Result<Void, RPCError>)
    }

    /// The reader of the call's messages.
    enum Reader {
        /// The caller of a unary call.
        case caller(CheckedContinuation<Result<ByteBuffer, RPCError>, Never>)
        /// The queue of a stream.
        case queue(MessageQueue)
    }

    let deadline: NIODeadline?
    let request: OutgoingRequest
    var phase = Phase.new
    /// The number of failed attempts.
    var failures = 0
    /// The error of an attempt that may have made the change although it failed; nil without such an attempt.
    var unknownOutcome: RPCError?
    /// The number of times that all addresses failed while it waited.
    var failedConnectAttempts = 0
    private(set) var hasMessage = false
    /// The answer of a unary call.
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

    /// Sets the caller that waits. If the call has ended already, the caller gets the result at once.
    func attach(_ caller: CheckedContinuation<Result<ByteBuffer, RPCError>, Never>) {
        reader = .caller(caller)
        if case .ended(let result) = phase { report(result) }
    }

    /// Delivers a message. It never waits for the reader.
    ///
    /// - Returns: False if too many messages wait for the reader.
    func deliver(_ message: ByteBuffer) -> Bool {
        hasMessage = true
        guard case .queue(let queue) = reader else {
            answer = message
            return true
        }
        return queue.push(message)
    }

    /// Ends the call. Only the first end counts; messages that arrived before it are still read.
    ///
    /// A later attempt that was not carried out does not hide that an earlier one may have made the change. A verdict on
    /// the request is of both attempts, because they have the same request id.
    func end(_ result: Result<Void, RPCError>) {
        guard !hasEnded else { return }
        let result = result.mapError { error in
            error.isTransient || !error.mayHaveReachedServer ? unknownOutcome ?? error : error
        }
        phase = .ended(result)
        report(result)
    }

    private func report(_ result: Result<Void, RPCError>) {
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
            let message = "the server ended the call without an answer"
            return .failure(RPCError(.internalError, reason: .responseInvalid, message))
        }
        return .success(answer)
    }
}
