internal import NIOCore

/// A timer on an event loop that is counted until it fires or is cancelled. It belongs to that loop.
final class LoopTimer {
    let time: NIODeadline
    private let counters: EventCounters
    private var task: Scheduled<Void>?

    /// - Parameters:
    ///   - time: When it fires.
    ///   - eventLoop: Where it is made, and fires.
    ///   - counters: That loop's.
    ///   - fire: Called once, unless the timer is cancelled before.
    init(
        at time: NIODeadline,
        on eventLoop: any EventLoop,
        counters: EventCounters,
        fire: @escaping @Sendable () -> Void
    ) {
        self.time = time
        self.counters = counters
        counters.timerStarted()
        let timer = NIOLoopBound(self, eventLoop: eventLoop)
        task = eventLoop.scheduleTask(deadline: time) {
            timer.value.end()
            fire()
        }
    }

    func cancel() {
        task?.cancel()
        end()
    }

    private func end() {
        guard task != nil else { return }
        task = nil
        counters.timerEnded()
    }
}
