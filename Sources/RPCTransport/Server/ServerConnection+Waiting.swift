internal import Framing
internal import NIOCore
internal import RPCCore

/// Watches that have nothing to send until something happens.
extension ServerConnection {
    func begin(_ wait: Wait, of call: ActiveCall) {
        // Half-closed: as for every other stream that would have to wait. Its place is the one behind the wait.
        if isInputClosed, call.style == .stream {
            call.next = .source(wait.then)
            return interrupt(call.id, .inputClosed)
        }
        let waiting = WaitingCall(call, wait)
        call.next = nil
        call.waiting = waiting
        let bound = NIOLoopBound((connection: self, waiting: waiting), eventLoop: context.eventLoop)
        waiting.began(
            wait.begin(Waker(on: context.eventLoop) { bound.value.connection.wake(bound.value.waiting) })
        )
        if let timeout = wait.timeout, !waiting.isOver { limit(waiting, to: timeout) }
    }

    /// By way of the loop's queue: whoever woke this call may wake others of this connection, and all share one write.
    private func wake(_ waiting: WaitingCall) {
        guard !waiting.isOver else { return }
        goOn(waiting)
        schedulePump()
    }

    private func goOn(_ waiting: WaitingCall) {
        waiting.end()
        waiting.call.waiting = nil
        waiting.call.next = .source(waiting.wait.then)
        readyCalls.append(waiting.call)
    }

    // MARK: Time

    private func limit(_ waiting: WaitingCall, to timeout: Duration) {
        let deadline = now + TimeAmount(timeout)
        waiting.deadline = deadline
        guard waitCheck.map({ deadline < $0 }) ?? true else { return }
        waitCheck = deadline
        armTimer()
    }

    /// Whoever has waited long enough, and could send, is asked.
    func checkWaits() {
        guard let check = waitCheck, check <= now else { return }
        waitCheck = nil
        for case let waiting? in calls.values.map(\.waiting) {
            guard let deadline = waiting.deadline, let timeout = waiting.wait.timeout else { continue }
            if deadline > now {
                waitCheck = min(waitCheck ?? deadline, deadline)
            } else if waiting.call.holdsCredit || machine.hasCredit(on: waiting.call.id) {
                goOn(waiting)
            } else {
                limit(waiting, to: timeout)
            }
        }
        turnEnded()
    }
}

/// Watches that are ended so that others can begin.
extension ServerConnection {
    /// Makes the function that ends a watch with an error, from any thread.
    func end(of id: StreamID) -> @Sendable (RPCError) -> Void {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        return { [eventLoop = context.eventLoop] error in
            // By way of the loop's queue: the connection may be in the middle of something, and this call about to begin.
            eventLoop.execute { bound.value.displace(id, error) }
        }
    }

    /// Ends a watch, whatever it waits for. As for every stream that ends through no fault of its own, its caller is told
    /// where to go on.
    private func displace(_ id: StreamID, _ error: RPCError) {
        guard !isClosing, let call = calls[id] else { return }
        now = .now()
        counters.count(.watchDisplaced)
        fail(id, error.adding(metadata: call.place))
        turnEnded()
    }
}

/// A call's wait, until it is woken or the call ends.
final class WaitingCall {
    let call: ActiveCall
    let wait: Wait
    /// When it has waited for as long as it wanted to.
    var deadline: NIODeadline?
    private(set) var isOver = false
    private var cancel: (() -> Void)?

    init(_ call: ActiveCall, _ wait: Wait) {
        self.call = call
        self.wait = wait
    }

    /// It may be over already: woken while it began.
    func began(_ cancel: @escaping () -> Void) {
        if isOver { cancel() } else { self.cancel = cancel }
    }

    func end() {
        isOver = true
        cancel?()
        cancel = nil
    }
}
