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
