import Dispatch
import Foundation
import Synchronization

/// A counter of Ctrl-C: after the first the program may still clean up, the second ends it at once.
enum Interruption {
    private static let count = Atomic(0)

    /// Starts to count.
    static func watch() {
        // Initializes the counter now, because that is not allowed within a signal handler.
        _ = hasHappened
        signal(SIGINT) { _ in
            // Counting and leaving are the only safe actions within a signal handler.
            if Interruption.count.add(1, ordering: .relaxed).newValue > 1 { _exit(130) }
        }
    }

    static var hasHappened: Bool { count.load(ordering: .relaxed) > 0 }
}
