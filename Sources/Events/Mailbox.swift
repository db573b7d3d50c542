internal import Synchronization

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
        backlog: Int = Subject.defaultBacklog,
        onArrival: @escaping @Sendable () -> Void
    ) -> Mailbox<Value> {
        let inbox = Inbox<Value>(.bounded(backlog)) { _ in onArrival() }
        return Mailbox(inbox, add(inbox))
    }
}
