internal import Synchronization

/// A subscription to a subject. It ends with `cancel`, or when it is deallocated.
///
/// After `cancel` on the subscriber's executor, nothing is delivered any more. After `cancel` elsewhere, an event that
/// is being delivered at that moment may still arrive.
package final class Subscription: Sendable {
    /// The function that ends the subscription. It is wrapped in a struct because `Mutex` would wrap a bare function
    /// again at every access.
    private struct End {
        var run: (@Sendable () -> Void)?
    }

    private let end: Mutex<End>

    init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(End(run: end)) }

    deinit { cancel() }

    package func cancel() {
        let end = end.withLock { end in
            defer { end.run = nil }
            return end
        }
        end.run?()
    }
}

/// An executor on which a subscriber is called.
///
/// The work may run at once or later, on any thread, and concurrently with other work. The subscription itself makes
/// sure that its subscriber gets one event at a time, in order. For an event loop, use
/// `Delivery { loop.execute($0) }`.
package struct Delivery: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    package init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// Delivery on the sender's thread, before `send` returns.
    package static let inline = Delivery { $0() }
    /// Delivery on the main actor.
    package static let main = Delivery { work in Task { @MainActor in work() } }
    /// Delivery in a new task.
    package static let task = Delivery { work in Task { work() } }
}
