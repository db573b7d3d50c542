internal import Framing
internal import NIOCore

/// What is awaited from the peer, and for how long.
extension ServerConnection {
    /// One timer at a time. One that fires too early costs less than setting it anew with every frame.
    func armTimer() {
        guard !isClosed, let time = nextCheck else { return }
        if let timer {
            guard time < timer.time else { return }
            timer.task.cancel()
        }
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(deadline: time) { connection.value.timerFired() }
        timer = (time, task)
    }

    private var nextCheck: NIODeadline? {
        [watchdog.nextCheck, machine.nextCheck].compactMap(\.self).min()
    }

    private func timerFired() {
        timer = nil
        now = .now()
        if let error = watchdog.check(now: now, unsentBytes: unsentBytes) { return close(because: error) }
        if !isClosing { checkCalls() }
        armTimer()
    }

    private func checkCalls() {
        switch machine.check(now: now) {
        case .continueConnection:
            break
        case .failCalls(let ids, let refusal):
            for id in ids {
                counters.count(ServerEvent(refusal))
                fail(id, refusal.error)
            }
            turnEnded()
        case .endConnection(let farewell):
            end(farewell)
        }
    }
}
