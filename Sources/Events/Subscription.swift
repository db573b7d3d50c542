internal import Synchronization

/// A subscriber's hold on what it hears. It ends by `cancel`, and when its owner lets go of it.
///
/// After it was cancelled where its subscriber is called, nothing is delivered any more. Cancelled elsewhere, an event
/// that is being delivered at that moment may be the last.
package final class Subscription: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }

    deinit { cancel() }

    package func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
