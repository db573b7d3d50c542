internal import LoadEngine
internal import NIOCore
internal import RPCCore
internal import RPCTransport
internal import WireMessages

/// The handling of events from the connections.
extension LoadWorker {
    func received(_ event: ClientConnectionEvent, on link: LoadLink) {
        switch event {
        case .ready:
            break
        case .answer(let id, let answer):
            guard var call = link.calls.removeValue(forKey: id) else { return }
            call.messageReceived(answer)
            answered(&call, answer, on: link)
        case .message(let id, let message, let isLast):
            link.calls[id]?.messageReceived(message)
            link.calls[id]?.pageReceived(at: LoadClock.now)
            if isLast { finish(id, .success, on: link) }
        case .end(let id):
            finish(id, .success, on: link)
        case .failure(let id, let error):
            finish(id, LoadWorker.verdict(error), on: link)
        case .goAway(_, let dropped):
            for id in dropped { finish(id, .failure(LoadWorker.draining), on: link) }
        }
    }

    func closed(_ link: LoadLink) {
        // A call may be known only to the link, because the server has dropped it already.
        let calls = link.calls.values
        link.calls.removeAll()
        recorder.connections.lost += 1
        for call in calls { record(call, .unreachable(LoadWorker.connectionLost)) }
        reconnect(link)
        placeIsFree(on: link)
    }

    private func answered(_ call: inout LoadCall, _ answer: ByteBuffer, on link: LoadLink) {
        switch call.operation {
        case .pages:
            call.pageReceived(at: LoadClock.now)
        case .walk:
            call.pageReceived(at: LoadClock.now)
            if continueWalk(call, after: SearchCharactersResponse.nextPageToken(ofEncoded: answer), on: link) { return }
        case .stream, .toggle, .favorites:
            break
        }
        record(call, .success)
        placeIsFree(on: link)
    }

    /// Requests a walk's next page, in the same place in flight. Returns false if the walk is finished.
    private func continueWalk(_ call: LoadCall, after token: String, on link: LoadLink) -> Bool {
        guard !token.isEmpty, plan.maximumPages == 0 || call.pages < plan.maximumPages else { return false }
        var call = call
        call.sent = LoadClock.now
        if link.send(call, requests.page(ofQuery: call.query, token: token)) { return true }
        record(call, .failure(LoadWorker.draining))
        placeIsFree(on: link)
        return true
    }

    private func finish(_ id: StreamID, _ verdict: CallOutcome.Verdict, on link: LoadLink) {
        guard let call = link.calls.removeValue(forKey: id) else { return }
        record(call, verdict)
        placeIsFree(on: link)
    }

    private static func verdict(_ error: RPCError) -> CallOutcome.Verdict {
        let failure = Failure(error)
        if error.code == .deadlineExceeded { return .timeout(failure) }
        let isNoAnswer = error.origin == .local && error.code == .unavailable
        return isNoAnswer ? .unreachable(failure) : .failure(failure)
    }

    private static let connectionLost = Failure(.unavailable, .connectionLost)
    private static let draining = Failure(.unavailable, .draining)
}

/// Calls whose deadline has passed. The server ends such calls too, so this waits a little longer than the deadline.
extension LoadWorker {
    /// Checks all calls from time to time, because a timer for each call would cost more than the call.
    func scheduleSweep() {
        let interval = TimeAmount.nanoseconds(min(max(plan.timeout.inNanoseconds / 10, 5_000_000), 250_000_000))
        sweep = eventLoop.assumeIsolated().scheduleTask(in: interval) {
            self.endOverdueCalls(sentBefore: LoadClock.now - self.plan.timeout.inNanoseconds - interval.nanoseconds)
            if self.done != nil { self.scheduleSweep() }
        }
    }

    private func endOverdueCalls(sentBefore limit: Nanoseconds) {
        for link in links {
            for (id, call) in link.calls where call.sent < limit {
                link.abandon(id)
                record(call, .timeout(LoadWorker.overdue))
                placeIsFree(on: link)
            }
        }
    }

    private static let overdue = Failure(code: StatusCode.deadlineExceeded.name, reason: "")
}

extension Failure {
    init(_ error: RPCError) {
        self.init(code: error.code.name, reason: error.reason?.rawValue ?? "")
    }

    init(_ code: StatusCode, _ reason: ErrorReason) {
        self.init(code: code.name, reason: reason.rawValue)
    }
}
