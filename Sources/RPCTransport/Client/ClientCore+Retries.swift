internal import NIOCore
internal import RPCCore

/// What becomes of a call that its server, or its connection, has brought to an end.
extension ClientCore {
    func succeeded(_ call: ClientCall) {
        budget.succeeded()
        call.end(.success(()))
    }

    func failed(_ call: ClientCall, _ error: RPCError) {
        if !error.isTransient {
            budget.succeeded()
        } else if error.mayHaveReachedServer {
            budget.failed()
        }
        retry(call, after: error)
    }

    /// Tries the call again, later, or tells its caller.
    func retry(_ call: ClientCall, after error: RPCError) {
        guard !call.hasEnded else { return }
        guard prepare(call, after: error) else { return call.end(.failure(error)) }
        guard !call.hasEnded else { return }
        call.failures += 1
        let now = eventLoop.now
        let failure = RetryPolicy.Failure(
            error,
            attempt: call.failures,
            repetition: call.repetition,
            deadline: call.deadline
        )
        switch options.retries.decide(failure, budget: budget, now: now, chance: chance()) {
        case .retry(let time): rest(call, until: time)
        case .giveUp: call.end(.failure(error))
        }
    }

    /// Makes the call one that can be sent again. A stream goes on behind its last message, or not at all.
    ///
    /// - Returns: false if it cannot be sent again.
    private func prepare(_ call: ClientCall, after error: RPCError) -> Bool {
        guard error.isTransient else { return false }
        guard call.messageCount > 0 else { return true }
        guard case .resumable(let resume) = call.repetition, let last = call.lastMessage else { return false }
        switch resume(last, call.messageCount) {
        case .request(let payload):
            call.request.payload = payload
            return true
        case .complete:
            // Only the frame that ends the stream was lost.
            call.end(.success(()))
            return true
        case .impossible:
            return false
        }
    }

    private func rest(_ call: ClientCall, until time: NIODeadline) {
        let timer = eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
            resting[ObjectIdentifier(call)] = nil
            start(call)
            settle()
        }
        call.phase = .resting(timer)
        resting[ObjectIdentifier(call)] = call
    }
}
