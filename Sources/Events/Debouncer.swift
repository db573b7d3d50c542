internal import Synchronization

/// A debouncer: it delivers the latest value once no other value was sent for an interval.
///
/// An example is a search that begins when typing pauses. Any thread may send. A value that was not delivered yet is
/// dropped when the debouncer is deallocated.
package final class Debouncer<Value: Sendable, Source: Clock>: Sendable where Source.Duration == Duration {
    private let interval: Duration
    private let clock: Source
    private let inbox: Inbox<Value>
    private let pause = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - interval: The time without a new value after which the latest value is delivered.
    ///   - clock: The clock that measures `interval`.
    ///   - delivery: The executor on which `receive` is called.
    ///   - receive: The subscriber. It gets the latest value, one at a time.
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
        // The interval begins now, not when the task starts to run.
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

    /// Delivers a value after its pause.
    ///
    /// The lock orders this against `send`: either a later value has cancelled this task, or this value is put into the
    /// inbox before the later value.
    private func pauseEnded(_ value: Value) {
        let mustNotify = pause.withLock { _ in !Task.isCancelled && inbox.put(value) }
        if mustNotify { inbox.notify() }
    }
}
