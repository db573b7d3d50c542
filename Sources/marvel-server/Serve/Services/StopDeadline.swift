import Foundation
import Logging

/// Ends a program that does not end by itself: a statement of SQLite, or a silent disk, does not keep it running after
/// SIGTERM. All acknowledged changes are on disk.
enum StopDeadline {
    /// After the drain: the time for the store to close by itself, and the time in which its statements are
    /// interrupted. The service manager waits longer than both.
    private static let (closingTime, interruptingTime) = (Duration.seconds(4), Duration.seconds(5))
    private static let interval = Duration.milliseconds(500)

    /// Waits on a thread of its own. `drainTimeout` is the time that running calls may take.
    static func begin(drainTimeout: Duration, store: any ServedStore, logger: Logger) {
        Thread.detachNewThread {
            sleep(drainTimeout + closingTime)
            for _ in 0..<Int(interruptingTime / interval) {
                store.interrupt()
                sleep(interval)
            }
            logger.critical("the server stopped without closing its store", metadata: ["reason": "it does not answer"])
            // Handlers of `exit` could wait for the same statement.
            _exit(1)
        }
    }

    private static func sleep(_ time: Duration) { Thread.sleep(forTimeInterval: time / .seconds(1)) }
}
