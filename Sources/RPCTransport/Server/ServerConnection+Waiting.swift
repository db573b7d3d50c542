internal import Framing
internal import NIOCore
internal import RPCCore

/// Watches that have nothing to send until an event happens.
extension ServerConnection {
    func begin(_ wait: Wait, of call: ActiveCall) {
        // Half-closed: end it like every other stream that would have to wait. The resume point is the one after the
        // wait.
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

    /// Wakes a call. It pumps in a later task of the loop: the waker may wake more calls of this connection, and all
    /// share one write.
    private func wake(_ waiting: WaitingCall) {
        guard !waiting.isOver else { return }
        endWait(waiting)
        schedulePump()
    }

    private func endWait(_ waiting: WaitingCall) {
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

    /// Asks the watches whose wait has timed out, if they could send.
    func checkWaits() {
        guard let check = waitCheck, check <= now else { return }
        waitCheck = nil
        for case let waiting? in calls.values.map(\.waiting) {
            guard let deadline = waiting.deadline, let timeout = waiting.wait.timeout else { continue }
            if deadline > now {
                waitCheck = min(waitCheck ?? deadline, deadline)
            } else if waiting.call.holdsCredit || machine.hasCredit(on: waiting.call.id) {
                endWait(waiting)
            } else {
                limit(waiting, to: timeout)
            }
        }
        turnEnded()
    }
}

/// The displacement of watches, so that those of other callers can begin.
extension ServerConnection {
    /// Makes the function that ends a watch with an error, from any thread.
    func end(of id: StreamID) -> @Sendable (RPCError) -> Void {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        return { [eventLoop = context.eventLoop] error in
            // Through the loop's queue: the connection may be handling an event, and this call may not have begun.
            eventLoop.execute { bound.value.displace(id, error) }
        }
    }

    /// Ends a watch, whatever it waits for. The error names the place to resume from.
    private func displace(_ id: StreamID, _ error: RPCError) {
        guard !isClosing, let call = calls[id] else { return }
        now = .now()
        counters.count(.watchDisplaced)
        fail(id, error.adding(metadata: call.place))
        turnEnded()
    }
}

/// The wait of a call, until it is woken or the call ends.
final class WaitingCall {
    let call: ActiveCall
    let wait: Wait
    /// The time at which its wait times out.
    var deadline: NIODeadline?
    private(set) var isOver = false
    private var cancel: (() -> Void)?

    init(_ call: ActiveCall, _ wait: Wait) {
        self.call = call
        self.wait = wait
    }

    /// Keeps the function that cancels the wait. The wait may be over already: woken while it began.
    func began(_ cancel: @escaping () -> Void) {
        if isOver { cancel() } else { self.cancel = cancel }
    }

    func end() {
        isOver = true
        cancel?()
        cancel = nil
    }
}
