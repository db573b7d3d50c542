import ArgumentParser
import CatalogFiles
import Foundation
import Synchronization
import UnixSignals

/// A handler of SIGINT and SIGTERM for a mirror.
///
/// The first signal stops the mirror after the current page. The second ends the process at once, and only the current
/// page is lost.
final class StopSignals: Sendable {
    private let received = Mutex<Int32?>(nil)

    /// Starts to handle the signals, until the process ends.
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

    /// The exit code for the signal that was received; nil if there was none.
    var exitCode: ExitCode? { received.withLock(\.self).map { ExitCode(128 + $0) } }
}
