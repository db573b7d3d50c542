internal import Dispatch
internal import Foundation
internal import Synchronization

/// The thread that commits a store's groups, and sleeps while nothing waits.
///
/// A serial queue runs a block on the thread that waits for it, if the queue is idle. So all groups are committed on this
/// thread. A block that nobody waits for runs on another thread of a pool each time, with cold caches and with memory
/// that yet another one has to free: that took a tenth of a toggle's time when few share a commit.
final class WriterThread: Sendable {
    private let wakes = DispatchSemaphore(value: 0)
    private let isEnded = Atomic(false)

    /// Starts the thread.
    ///
    /// - Parameter work: Called on the thread, once for each call of `wake`.
    func start(_ work: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            while true {
                wakes.wait()
                guard !isEnded.load(ordering: .acquiring) else { return }
                work()
            }
        }
    }

    func wake() { wakes.signal() }

    /// Ends the thread, after the work that it does now.
    func end() {
        isEnded.store(true, ordering: .releasing)
        wakes.signal()
    }
}
