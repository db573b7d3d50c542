internal import Synchronization

/// A value that changes, and all who want to know it.
///
/// A subscriber gets the value that there is, and then what it becomes, in order. Who is slower than the changes misses
/// those between, never the last. Any thread may send.
package final class CurrentValueSubject<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var subscribers = Subscribers<Value>()
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock(\.value) }

    package func send(_ value: Value) {
        // The value before is let go of when the lock is released: what it holds may be anything.
        let (before, inboxes) = state.withLock { state in
            defer { state.value = value }
            return (state.value, state.subscribers.put(value))
        }
        _ = before
        for inbox in inboxes { inbox.tell() }
    }

    /// - Parameters:
    ///   - delivery: Where `receive` is called.
    ///   - receive: Gets the value (`inline`: before this returns), and then its changes.
    /// - Returns: What ends the subscription when it is let go of.
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
        let isTold = state.withLock { state in
            state.subscribers.add(inbox)
            return inbox.put(state.value)
        }
        if isTold { inbox.tell() }
        return Subscription { [weak self] in
            inbox.close()
            _ = self?.state.withLock { $0.subscribers.remove(inbox) }
        }
    }
}
