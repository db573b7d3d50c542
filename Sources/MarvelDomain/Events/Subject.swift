internal import Synchronization

/// A source of events that sends each event to all current subscribers.
///
/// Any thread may send. All subscribers get events in the same order, one event at a time. A subscriber that is slower
/// than the sender is informed how many events it missed, at the position where they are missing.
package final class Subject<Value: Sendable>: Sendable {
    private let subscribers = Mutex(Subscribers<Value>())

    package init() {}

    package func send(_ value: Value) {
        for inbox in subscribers.withLock({ $0.put(value) }) { inbox.notify() }
    }

    /// Calls `receive` with every event from now on, on the sender's thread, one at a time.
    ///
    /// - Returns: The subscription, which ends when it is deallocated.
    package func subscribe(_ receive: @escaping @Sendable (SubjectEvent<Value>) -> Void) -> Subscription {
        add(Inbox(.bounded(64)) { inbox in while let event = inbox.take() { receive(event) } })
    }

    fileprivate func add(_ inbox: Inbox<Value>) -> Subscription {
        subscribers.withLock { $0.add(inbox) }
        return Subscription { [weak self] in
            inbox.close()
            _ = self?.subscribers.withLock { $0.remove(inbox) }
        }
    }
}

/// An event as a subscriber of a `Subject` gets it.
package enum SubjectEvent<Value: Sendable>: Sendable {
    case value(Value)
    /// The number of events that were dropped at this position because the backlog was full.
    case missed(Int)

    package var value: Value? {
        switch self {
        case .value(let value): value
        case .missed: nil
        }
    }
}

extension SubjectEvent: Equatable where Value: Equatable {}

/// A subscription whose events are taken by whoever needs them, on any thread.
///
/// Unlike a subscriber that is called, its owner decides when the events are handled: before it answers a question to
/// which they matter. Events are handled one at a time, in order.
package final class Mailbox<Value: Sendable>: Sendable {
    private let inbox: Inbox<Value>
    /// Ends with the mailbox.
    private let subscription: Subscription
    /// Held while events are handled.
    private let turn = Mutex(())

    init(_ inbox: Inbox<Value>, _ subscription: Subscription) {
        self.inbox = inbox
        self.subscription = subscription
    }

    /// Handles all events that wait. When it returns, every event that was sent before the call was handled, here or on
    /// another thread. With no event it takes no lock.
    ///
    /// - Parameter handle: Handles one event. It must not block, nor use this mailbox.
    package func takeAll(_ handle: (SubjectEvent<Value>) -> Void) {
        guard inbox.isBusy else { return }
        turn.withLock { _ in
            while let event = inbox.take() { handle(event) }
        }
    }
}

extension Subject {
    /// Subscribes a mailbox to every event from now on.
    ///
    /// - Parameters:
    ///   - backlog: The maximum of events that wait, above 0.
    ///   - onArrival: Called on the sender's thread when events arrive and none waited. It must return quickly.
    /// - Returns: The mailbox. The subscription ends with it.
    package func mailbox(
        backlog: Int = 64,
        onArrival: @escaping @Sendable () -> Void
    ) -> Mailbox<Value> {
        let inbox = Inbox<Value>(.bounded(backlog)) { _ in onArrival() }
        return Mailbox(inbox, add(inbox))
    }
}
