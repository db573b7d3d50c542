internal import NIOCore
internal import RPCCore

/// The end of an attempt: success, retry, or failure.
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

    /// Schedules a retry of the call, or fails it. A stream of which a message has arrived is not retried: only its
    /// reader knows how to resume it.
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
        case .retry(let time) where !call.hasMessage: backOff(call, until: time)
        case .retry, .giveUp: call.end(.failure(error))
        }
    }

    private func backOff(_ call: ClientCall, until time: NIODeadline) {
        let timer = eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
            backingOff[ObjectIdentifier(call)] = nil
            start(call)
            settle()
        }
        call.phase = .backingOff(timer)
        backingOff[ObjectIdentifier(call)] = call
    }
}
