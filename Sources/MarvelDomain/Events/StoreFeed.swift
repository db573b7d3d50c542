internal import Synchronization

/// The events of a store, which it sends to all mailboxes.
///
/// Any thread may send. All mailboxes have the events in the same order.
package final class StoreFeed: Sendable {
    private struct Subscription {
        weak var mailbox: Mailbox?
        let onArrival: @Sendable () -> Void
    }

    private let subscriptions = Mutex<[Subscription]>([])

    package init() {}

    package func send(_ event: StoreEvent) {
        let notified = subscriptions.withLock { subscriptions in
            subscriptions.filter { $0.mailbox?.put(event) ?? false }
        }
        for subscription in notified { subscription.onArrival() }
    }

    /// Sends a mailbox every event from now on, as long as it lives. `onArrival` is called on the sender's thread when
    /// events arrive in an empty mailbox, and must return quickly.
    package func subscribe(_ mailbox: Mailbox, onArrival: @escaping @Sendable () -> Void) {
        let ended = subscriptions.withLock { subscriptions in
            let ended = subscriptions.filter { $0.mailbox == nil }
            subscriptions.removeAll { $0.mailbox == nil }
            subscriptions.append(Subscription(mailbox: mailbox, onArrival: onArrival))
            return ended
        }
        // Their functions may hold anything: they are released outside of the lock.
        _ = ended
    }
}

/// Events that wait until their owner, on any thread, needs them.
///
/// So the owner handles them before it answers a question that depends on them. Events are handled one at a time, in
/// order.
package final class Mailbox: Sendable {
    private let backlog: Int
    private let waiting = Mutex<[StoreEvent]>([])
    /// Whether the owner was told of events, and has not found the mailbox empty since. Written under the lock.
    private let isOwnerNotified = Atomic(false)
    /// Held while events are handled.
    private let turn = Mutex(())

    /// `backlog` is the maximum of waiting events, above 0. Those that come when so many wait are lost, and
    /// `StoreEvent.lost` comes in their place.
    package init(backlog: Int) { self.backlog = backlog }

    /// Returns whether to tell the owner, after releasing all locks.
    fileprivate func put(_ event: StoreEvent) -> Bool {
        waiting.withLock { waiting in
            if waiting.count < backlog {
                waiting.append(event)
            } else if waiting.count == backlog {
                waiting.append(.lost)
            }
            return !isOwnerNotified.exchange(true, ordering: .acquiringAndReleasing)
        }
    }

    /// Handles all waiting events. After it returns, every earlier event was handled, here or on another thread.
    /// Without an event it takes no lock. `handle` must not block, nor use this mailbox.
    package func takeAll(_ handle: (StoreEvent) -> Void) {
        guard isOwnerNotified.load(ordering: .acquiring) else { return }
        turn.withLock { _ in
            var events = take()
            while !events.isEmpty {
                for event in events { handle(event) }
                events = take()
            }
        }
    }

    private func take() -> [StoreEvent] {
        waiting.withLock { waiting in
            if waiting.isEmpty { isOwnerNotified.store(false, ordering: .releasing) }
            defer { waiting = [] }
            return waiting
        }
    }
}
