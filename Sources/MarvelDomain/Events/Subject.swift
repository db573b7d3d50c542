internal import Synchronization

/// A source that sends each event to all mailboxes.
///
/// Any thread may send. All mailboxes have the events in the same order. The owner of a full one learns how many events it
/// missed, and where.
package final class Subject<Value: Sendable>: Sendable {
    private let subscribers = Mutex(Subscribers<Value>())

    package init() {}

    package func send(_ value: Value) {
        for inbox in subscribers.withLock({ $0.put(value) }) { inbox.notify() }
    }

    /// Subscribes a mailbox to every event from now on. The subscription ends with the mailbox. `backlog` is the
    /// maximum of waiting events, above 0. `onArrival` is called on the sender's thread when events arrive in an empty
    /// mailbox, and must return quickly.
    package func mailbox(
        backlog: Int = 64,
        onArrival: @escaping @Sendable () -> Void
    ) -> Mailbox<Value> {
        let inbox = Inbox<Value>(.bounded(backlog), notify: onArrival)
        subscribers.withLock { $0.add(inbox) }
        let subscription = Subscription { [weak self] in
            inbox.close()
            _ = self?.subscribers.withLock { $0.remove(inbox) }
        }
        return Mailbox(inbox, subscription)
    }
}

package enum SubjectEvent<Value: Sendable>: Sendable {
    case value(Value)
    case missed(Int)

    package var value: Value? {
        switch self {
        case .value(let value): value
        case .missed: nil
        }
    }
}

extension SubjectEvent: Equatable where Value: Equatable {}

/// A subscription whose owner takes its events, on any thread, when it needs them.
///
/// So the owner handles them before it answers a question that depends on them. Events are handled one at a time, in
/// order.
package final class Mailbox<Value: Sendable>: Sendable {
    private let inbox: Inbox<Value>
    private let subscription: Subscription
    /// Held while events are handled.
    private let turn = Mutex(())

    init(_ inbox: Inbox<Value>, _ subscription: Subscription) {
        self.inbox = inbox
        self.subscription = subscription
    }

    /// Handles all waiting events. After it returns, every earlier event was handled, here or on another thread.
    /// Without an event it takes no lock. `handle` must not block, nor use this mailbox.
    package func takeAll(_ handle: (SubjectEvent<Value>) -> Void) {
        guard inbox.isBusy else { return }
        turn.withLock { _ in
            while let event = inbox.take() { handle(event) }
        }
    }
}
