internal import Synchronization

/// A variable value that sends its current value and every change to its subscribers.
///
/// A subscriber gets the current value, and then the changes, in order. A subscriber that is slower than the changes
/// misses values in between, never the last one. Any thread may send.
package final class CurrentValueSubject<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var subscribers = Subscribers<Value>()
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock(\.value) }

    package func send(_ value: Value) {
        // The previous value is released outside of the lock: it may hold anything.
        let (before, inboxes) = state.withLock { state in
            defer { state.value = value }
            return (state.value, state.subscribers.put(value))
        }
        _ = before
        for inbox in inboxes { inbox.notify() }
    }

    /// - Parameters:
    ///   - delivery: The executor on which `receive` is called.
    ///   - receive: The subscriber. It gets the value (`inline`: before this returns), and then its changes.
    /// - Returns: The subscription, which ends when it is deallocated.
    package func subscribe(
        on delivery: Delivery = .inline,
        _ receive: @escaping @Sendable (Value) -> Void
    ) -> Subscription {
        add(
            Inbox(.latest, on: delivery) { event in
                if let value = event.value { receive(value) }
            }
        )
    }

    /// The value and its changes, as a sequence that ends with the task that reads it.
    package var values: EventSequence<Value, Value> {
        EventSequence(backlog: .latest, element: \.value, subscribe: add)
    }

    private func add(_ inbox: Inbox<Value>) -> Subscription {
        let mustNotify = state.withLock { state in
            state.subscribers.add(inbox)
            return inbox.put(state.value)
        }
        if mustNotify { inbox.notify() }
        return Subscription { [weak self] in
            inbox.close()
            _ = self?.state.withLock { $0.subscribers.remove(inbox) }
        }
    }
}
