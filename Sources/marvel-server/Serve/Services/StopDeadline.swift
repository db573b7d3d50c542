import Foundation
import Logging

/// The end of a program that does not end by itself: a statement of SQLite, or a disk that does not answer, does not keep
/// it running after SIGTERM. All acknowledged changes are on disk.
enum StopDeadline {
    /// The time after the drain in which the store closes by itself, and the time in which its statements are interrupted.
    /// Both are within the time that the service manager waits.
    private static let (closingTime, interruptingTime) = (Duration.seconds(4), Duration.seconds(5))
    private static let interval = Duration.milliseconds(500)

    /// Begins to wait, on a thread of its own.
    ///
    /// - Parameters:
    ///   - drainTimeout: The time that running calls may take.
    ///   - store: The store to interrupt.
    ///   - logger: The logger for the reason.
    static func begin(drainTimeout: Duration, store: any ServedStore, logger: Logger) {
        Thread.detachNewThread {
            sleep(drainTimeout + closingTime)
            for _ in 0..<Int(interruptingTime / interval) {
                store.interrupt()
                sleep(interval)
            }
            logger.critical("the server ends without closing its store", metadata: ["reason": "it does not answer"])
            // Handlers of `exit` could wait for the same statement.
            _exit(1)
        }
    }

    private static func sleep(_ time: Duration) { Thread.sleep(forTimeInterval: time / .seconds(1)) }
}
