internal import Synchronization

/// A source of events that sends each event to all current subscribers.
///
/// Any thread may send. All subscribers get events in the same order, one event at a time. A subscriber that is slower
/// than the sender is informed how many events it missed, at the position where they are missing.
package final class Subject<Value: Sendable>: Sendable {
    /// The default maximum of events that wait for a subscriber.
    package static var defaultBacklog: Int { 64 }

    private let subscribers = Mutex(Subscribers<Value>())

    package init() {}

    package func send(_ value: Value) {
        for inbox in subscribers.withLock({ $0.put(value) }) { inbox.notify() }
    }

    /// - Parameters:
    ///   - delivery: The executor on which `receive` is called.
    ///   - backlog: The maximum of events that wait for `receive`, above 0.
    ///   - receive: The subscriber. It gets every event from now on.
    /// - Returns: The subscription, which ends when it is deallocated.
    package func subscribe(
        on delivery: Delivery = .inline,
        backlog: Int = Subject.defaultBacklog,
        _ receive: @escaping @Sendable (SubjectEvent<Value>) -> Void
    ) -> Subscription {
        add(Inbox(.bounded(backlog), on: delivery, receive))
    }

    /// Returns every event from now on, as a sequence that ends with the task that reads it.
    package func events(backlog: Int = Subject.defaultBacklog) -> EventSequence<Value, SubjectEvent<Value>> {
        EventSequence(backlog: .bounded(backlog), element: \.self, subscribe: add)
    }

    func add(_ inbox: Inbox<Value>) -> Subscription {
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
