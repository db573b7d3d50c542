internal import Foundation
package import Glibc
internal import Synchronization

/// The things to remove when a run ends, however it ends: processes, a mounted disk, the folder.
package final class Cleaner: Sendable {
    private struct State {
        var processIDs: [pid_t] = []
        var mounts: [String] = []
    }

    private let folder: String
    private let state = Mutex(State())

    package init(folder: String) { self.folder = folder }

    package func started(_ processID: pid_t) { state.withLock { $0.processIDs.append(processID) } }
    package func ended(_ processID: pid_t) { state.withLock { $0.processIDs.removeAll { $0 == processID } } }
    package func mounted(_ path: String) { state.withLock { $0.mounts.append(path) } }

    package func clean() {
        let left = state.withLock { state in
            defer { state = State() }
            return state
        }
        for processID in left.processIDs { kill(processID, SIGKILL) }
        // Lazily: those just killed may still hold it for a moment.
        for path in left.mounts { umount2(path, Int32(MNT_DETACH)) }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
