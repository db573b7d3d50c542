package import NIOCore

/// A timer that is counted until it fires or is cancelled. It must be used on its event loop only.
package final class LoopTimer {
    package let time: NIODeadline
    private let counters: EventCounters
    private var task: Scheduled<Void>?

    /// - Parameters:
    ///   - time: The time at which it fires.
    ///   - eventLoop: The event loop on which it is made, and fires.
    ///   - counters: The counters of that loop.
    ///   - fire: The function to call once, unless the timer is cancelled before.
    package init(
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

    package func cancel() {
        task?.cancel()
        end()
    }

    private func end() {
        guard task != nil else { return }
        task = nil
        counters.timerEnded()
    }
}
