internal import Synchronization

/// A subscriber's hold on what it hears. It ends by `cancel`, and when its owner lets go of it.
///
/// After it was cancelled where its subscriber is called, nothing is delivered any more. Cancelled elsewhere, an event
/// that is being delivered at that moment may be the last.
package final class Subscription: Sendable {
    /// A struct, because `Mutex` would wrap a bare function once more at every access.
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
