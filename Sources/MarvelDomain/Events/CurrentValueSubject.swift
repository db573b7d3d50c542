internal import Synchronization

/// A value that sends itself and every change to its readers.
///
/// A reader gets the current value, and then the changes, in order. A slow reader skips values in between, but never the
/// last one. Any thread may send.
package final class CurrentValueSubject<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var subscribers = Subscribers<Value>()
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock(\.value) }

    package func send(_ value: Value) {
        update { $0 = value }
    }

    /// Changes the value, and sends it. `change` runs under the lock.
    package func update(_ change: (inout Value) -> Void) {
        // Release the previous value outside of the lock: its deinit may do anything.
        let (before, inboxes) = state.withLock { state in
            let before = state.value
            change(&state.value)
            return (before, state.subscribers.put(state.value))
        }
        _ = before
        for inbox in inboxes { inbox.notify() }
    }

    package var values: EventSequence<Value> { EventSequence(subscribe: add) }

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

/// The values of a subject as an asynchronous sequence. The subscription begins with the loop.
package struct EventSequence<Value: Sendable>: AsyncSequence, Sendable {
    package typealias Failure = Never

    fileprivate let subscribe: @Sendable (Inbox<Value>) -> Subscription

    package func makeAsyncIterator() -> AsyncIterator {
        // One buffered wake-up is enough: the value is in the inbox.
        let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let inbox = Inbox<Value>(.latest) { wakeUp.yield() }
        return AsyncIterator(inbox: inbox, subscription: subscribe(inbox), wakeUps: wakeUps.makeAsyncIterator())
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let inbox: Inbox<Value>
        fileprivate let subscription: Subscription
        fileprivate var wakeUps: AsyncStream<Void>.AsyncIterator

        package mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            while !Task.isCancelled {
                if let value = inbox.take()?.value { return value }
                guard await wakeUps.next(isolation: actor) != nil else { return nil }
            }
            return nil
        }
    }
}
