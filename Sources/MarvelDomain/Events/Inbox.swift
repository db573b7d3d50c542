internal import Synchronization

/// A bounded queue of events for one subscriber. It keeps their order, and counts dropped events.
final class Inbox<Value: Sendable>: Sendable {
    enum Backlog {
        case latest
        /// Above this many waiting events, new events are only counted until all waiting ones are taken.
        case bounded(Int)
    }

    private struct State {
        var waiting = Queue<Value>()
        var missed = 0
        var isClosed = false
    }

    private let backlog: Backlog
    /// Called after releasing all locks, if `put` says so.
    let notify: @Sendable () -> Void
    private let state = Mutex(State())
    /// Whether the reader was notified, and has not found the inbox empty since. Written under the lock.
    private let isReaderNotified = Atomic(false)

    /// `notify` is called again only after `take` returned nil.
    init(_ backlog: Backlog, notify: @escaping @Sendable () -> Void) {
        self.backlog = backlog
        self.notify = notify
    }

    /// Returns whether to call `notify`, after releasing all locks.
    func put(_ value: Value) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            switch backlog {
            case .latest: state.waiting.replaceAll(with: value)
            case .bounded(let limit) where state.missed > 0 || state.waiting.count >= limit: state.missed += 1
            case .bounded: state.waiting.append(value)
            }
            return !isReaderNotified.exchange(true, ordering: .acquiringAndReleasing)
        }
    }

    /// Whether events wait, or the reader may still handle the last ones. False means that every earlier event was
    /// handled.
    var isBusy: Bool { isReaderNotified.load(ordering: .acquiring) }

    /// Removes and returns the next event, if any.
    func take() -> SubjectEvent<Value>? {
        state.withLock { state in
            if let value = state.waiting.popFirst() { return .value(value) }
            guard state.missed == 0 else {
                defer { state.missed = 0 }
                return .missed(state.missed)
            }
            isReaderNotified.store(false, ordering: .releasing)
            return nil
        }
    }

    func close() {
        // Release events outside of the lock: an event's object may cancel other subscriptions in its deinit.
        let dropped = state.withLock { state in
            defer { state = State(isClosed: true) }
            isReaderNotified.store(false, ordering: .releasing)
            return state.waiting
        }
        _ = dropped
    }
}

/// A first-in, first-out queue in an array. It releases taken elements immediately.
private struct Queue<Element> {
    private var elements: [Element?] = []
    private var first = 0

    var count: Int { elements.count - first }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func replaceAll(with element: Element) {
        elements = [element]
        first = 0
    }

    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        defer {
            first += 1
            // Each element moves at most once on average.
            if first == elements.count || first > 64 && first > elements.count / 2 {
                elements.removeFirst(first)
                first = 0
            }
        }
        return elements[first].take()
    }
}

struct Subscribers<Value: Sendable> {
    private var inboxes: [ObjectIdentifier: Inbox<Value>] = [:]

    mutating func add(_ inbox: Inbox<Value>) { inboxes[ObjectIdentifier(inbox)] = inbox }

    /// Returns the inbox, so that the caller releases it outside of the lock: the subscriber's closure may hold
    /// anything.
    mutating func remove(_ inbox: Inbox<Value>) -> Inbox<Value>? {
        inboxes.removeValue(forKey: ObjectIdentifier(inbox))
    }

    /// Returns the inboxes to `notify` after releasing the lock.
    func put(_ value: Value) -> [Inbox<Value>] {
        inboxes.values.filter { $0.put(value) }
    }
}

/// A subscription to a subject. It ends when it is deallocated.
final class Subscription: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
