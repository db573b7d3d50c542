import Dispatch
import Foundation
import Synchronization

/// Whether Ctrl-C was pressed: the first time lets the program clean up behind it, the second ends it.
enum Interruption {
    private static let count = Atomic(0)

    /// From now on.
    static func watch() {
        // Made now, and not within the handler.
        _ = hasHappened
        signal(SIGINT) { _ in
            // All that a signal handler may do: count, and leave.
            if Interruption.count.add(1, ordering: .relaxed).newValue > 1 { _exit(130) }
        }
    }

    static var hasHappened: Bool { count.load(ordering: .relaxed) > 0 }
}
