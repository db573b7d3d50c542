import ArgumentParser
import CatalogFiles
import Foundation
import Synchronization
import UnixSignals

/// The first SIGINT or SIGTERM stops a mirror when its page is done; the second at once, which loses no more than that
/// page.
final class StopSignals: Sendable {
    private let received = Mutex<Int32?>(nil)

    /// Begins to watch, until the process ends.
    static func watch(_ stop: MirrorStop) async -> StopSignals {
        let watcher = StopSignals()
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        Task {
            for await signal in signals {
                let number = signal == .sigint ? SIGINT : SIGTERM
                watcher.received.withLock { $0 = number }
                if !stop.request() { exit(128 + number) }
            }
        }
        return watcher
    }

    /// Nil: there was none.
    var exitCode: ExitCode? { received.withLock(\.self).map { ExitCode(128 + $0) } }
}
