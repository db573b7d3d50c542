internal import Synchronization

/// A bounded queue of events for one subscriber. It keeps their order, and counts the events that it drops.
final class Inbox<Value: Sendable>: Sendable {
    /// A policy for an event that arrives while others wait.
    enum Backlog {
        /// The new event replaces the waiting one.
        case latest
        /// At most this many events wait. Once the limit is reached, new events are only counted, until all waiting
        /// events have been taken.
        case bounded(Int)
    }

    private struct State {
        var waiting: [Value] = []
        var missed = 0
        /// Whether the reader was notified, and has not found the inbox empty since.
        var isReaderNotified = false
        var isClosed = false
    }

    private let backlog: Backlog
    private let notifyReader: @Sendable (Inbox) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - backlog: The policy for an event that arrives while others wait.
    ///   - notifyReader: Notifies the reader that there are events. It is called again only after `take` returned nil.
    init(_ backlog: Backlog, notifyReader: @escaping @Sendable (Inbox) -> Void) {
        self.backlog = backlog
        self.notifyReader = notifyReader
    }

    /// Creates an inbox whose events go to `receive`, one at a time.
    convenience init(
        _ backlog: Backlog,
        on delivery: Delivery,
        _ receive: @escaping @Sendable (SubjectEvent<Value>) -> Void
    ) {
        self.init(backlog) { inbox in
            delivery.run { while let event = inbox.take() { receive(event) } }
        }
    }

    /// - Returns: Whether `notify` has to be called, once no lock is held.
    func put(_ value: Value) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            switch backlog {
            case .latest: state.waiting = [value]
            case .bounded(let limit) where state.missed > 0 || state.waiting.count >= limit: state.missed += 1
            case .bounded: state.waiting.append(value)
            }
            defer { state.isReaderNotified = true }
            return !state.isReaderNotified
        }
    }

    func notify() { notifyReader(self) }

    /// Removes the next event and returns it, or nil if there is none now.
    func take() -> SubjectEvent<Value>? {
        state.withLock { state in
            if !state.waiting.isEmpty { return .value(state.waiting.removeFirst()) }
            guard state.missed == 0 else {
                defer { state.missed = 0 }
                return .missed(state.missed)
            }
            state.isReaderNotified = false
            return nil
        }
    }

    /// Drops all events, and accepts no more.
    func close() {
        // Events are released outside of the lock: an object in an event may cancel other subscriptions in its deinit.
        let dropped = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.waiting
        }
        _ = dropped
    }
}
