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

    /// Tries the call again, later, or tells its caller. A stream of which something has arrived is not tried again:
    /// only its reader knows how it goes on.
    func retry(_ call: ClientCall, after error: RPCError) {
        guard !call.hasEnded else { return }
        call.failures += 1
        let failure = RetryPolicy.Failure(
            error,
            attempt: call.failures,
            isRepeatable: call.request.isRepeatable,
            deadline: call.deadline
        )
        switch retries.decide(failure, budget: budget, now: eventLoop.now, random: random()) {
        case .retry(let time) where !call.hasMessage: rest(call, until: time)
        case .retry, .giveUp: call.end(.failure(error))
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
