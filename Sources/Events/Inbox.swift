internal import Synchronization

/// The events that wait for one subscriber: bounded, in order, and never lost without a word.
final class Inbox<Value: Sendable>: Sendable {
    /// What becomes of an event that finds others waiting.
    enum Backlog {
        /// It takes the place of the one that waits.
        case latest
        /// It waits too, behind at most so many; what comes when as many wait is counted, until all have been taken.
        case bounded(Int)
    }

    private struct State {
        var waiting: [Value] = []
        var missed = 0
        /// Whoever takes has been told that there is something, and has not found the inbox empty since.
        var isAwaited = false
        var isClosed = false
    }

    private let backlog: Backlog
    private let ring: @Sendable (Inbox) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - backlog: What becomes of an event that finds others waiting.
    ///   - ring: Tells whoever takes that there is something, once until `take` has said that there is nothing.
    init(_ backlog: Backlog, ring: @escaping @Sendable (Inbox) -> Void) {
        self.backlog = backlog
        self.ring = ring
    }

    /// An inbox whose events go to `receive`, one at a time.
    convenience init(
        _ backlog: Backlog,
        on delivery: Delivery,
        _ receive: @escaping @Sendable (Received<Value>) -> Void
    ) {
        self.init(backlog) { inbox in
            delivery.run { while let event = inbox.take() { receive(event) } }
        }
    }

    /// - Returns: Whether `tell` has to be called, once no lock is held.
    func put(_ value: Value) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            switch backlog {
            case .latest: state.waiting = [value]
            case .bounded(let limit) where state.missed > 0 || state.waiting.count >= limit: state.missed += 1
            case .bounded: state.waiting.append(value)
            }
            defer { state.isAwaited = true }
            return !state.isAwaited
        }
    }

    func tell() { ring(self) }

    /// The next event, or nil if there is none now.
    func take() -> Received<Value>? {
        state.withLock { state in
            if !state.waiting.isEmpty { return .value(state.waiting.removeFirst()) }
            guard state.missed == 0 else {
                defer { state.missed = 0 }
                return .missed(state.missed)
            }
            state.isAwaited = false
            return nil
        }
    }

    /// From now on there is nothing to take.
    func close() {
        // What an event holds may cancel other subscriptions when it goes: not under the lock.
        let dropped = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.waiting
        }
        _ = dropped
    }
}
