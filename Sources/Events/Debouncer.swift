internal import Synchronization

/// Passes on what it was sent last, when nothing has been sent for a while: a search begins when typing pauses.
///
/// Any thread may send. When its owner lets go of it, what has not been passed on is dropped.
package final class Debouncer<Value: Sendable, Source: Clock>: Sendable where Source.Duration == Duration {
    private let interval: Duration
    private let clock: Source
    private let inbox: Inbox<Value>
    private let pause = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - interval: How long nothing may have been sent.
    ///   - clock: What measures it.
    ///   - delivery: Where `receive` is called.
    ///   - receive: Gets what was sent last, one at a time.
    package init(
        for interval: Duration,
        clock: Source = ContinuousClock(),
        on delivery: Delivery = .inline,
        _ receive: @escaping @Sendable (Value) -> Void
    ) {
        self.interval = interval
        self.clock = clock
        self.inbox = Inbox(.latest, on: delivery) { event in
            if let value = event.value { receive(value) }
        }
    }

    deinit {
        pause.withLock { $0?.cancel() }
        inbox.close()
    }

    package func send(_ value: Value) {
        // Counted from here, not from when the task gets to run.
        let end = clock.now.advanced(by: interval)
        let pause = Task { [clock, weak self] in
            guard (try? await clock.sleep(until: end, tolerance: nil)) != nil else { return }
            self?.pauseEnded(value)
        }
        self.pause.withLock { current in
            current?.cancel()
            current = pause
        }
    }

    /// Under the lock a task is either cancelled by what came after it or takes its turn before that.
    private func pauseEnded(_ value: Value) {
        let isTold = pause.withLock { _ in !Task.isCancelled && inbox.put(value) }
        if isTold { inbox.tell() }
    }
}
