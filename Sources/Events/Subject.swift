internal import Synchronization

/// Sends each event to all who are subscribed at that moment.
///
/// Any thread may send. All subscribers hear events in the same order, each one event at a time. Who is slower than
/// what is sent is told how many events it missed, and where.
package final class Subject<Value: Sendable>: Sendable {
    /// How many events wait for a subscriber, unless it says otherwise.
    package static var defaultBacklog: Int { 64 }

    private let subscribers = Mutex(Subscribers<Value>())

    package init() {}

    package func send(_ value: Value) {
        for inbox in subscribers.withLock({ $0.put(value) }) { inbox.tell() }
    }

    /// - Parameters:
    ///   - delivery: Where `receive` is called.
    ///   - backlog: How many events may wait for `receive`, above 0.
    ///   - receive: Gets every event from now on.
    /// - Returns: What ends the subscription when it is let go of.
    package func subscribe(
        on delivery: Delivery = .inline,
        backlog: Int = Subject.defaultBacklog,
        _ receive: @escaping @Sendable (Received<Value>) -> Void
    ) -> Subscription {
        add(Inbox(.bounded(backlog), on: delivery, receive))
    }

    /// Every event from now on, as a sequence that ends with the task that reads it.
    package func events(backlog: Int = Subject.defaultBacklog) -> EventSequence<Value, Received<Value>> {
        EventSequence(backlog: .bounded(backlog), element: \.self, subscribe: add)
    }

    private func add(_ inbox: Inbox<Value>) -> Subscription {
        subscribers.withLock { $0.add(inbox) }
        return Subscription { [weak self] in
            inbox.close()
            _ = self?.subscribers.withLock { $0.remove(inbox) }
        }
    }
}
