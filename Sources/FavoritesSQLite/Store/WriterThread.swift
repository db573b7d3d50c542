internal import Dispatch
internal import Foundation
internal import Synchronization

/// The thread that commits a store's groups, and sleeps while no request waits.
///
/// A serial queue runs a synchronous block on the calling thread, if the queue is idle. So this thread commits all
/// groups. An asynchronous block would run on another thread of a pool each time. That thread has cold caches, and
/// another one has to free its memory: that took a tenth of a toggle's time when few share a commit.
final class WriterThread: Sendable {
    private let wakes = DispatchSemaphore(value: 0)
    private let isEnded = Atomic(false)

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

    func end() {
        isEnded.store(true, ordering: .releasing)
        wakes.signal()
    }
}
