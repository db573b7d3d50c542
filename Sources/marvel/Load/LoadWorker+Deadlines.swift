internal import LoadEngine
internal import NIOCore

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

    private static let overdue = Failure(code: "DEADLINE_EXCEEDED", reason: "")
}
