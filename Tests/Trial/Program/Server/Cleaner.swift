import Foundation
import Glibc
import Synchronization

/// The things to remove when a trial ends, however it ends: processes, mounted disks, the folder.
final class Cleaner: Sendable {
    private struct State {
        var processIDs: [pid_t] = []
        var mounts: [String] = []
    }

    private let folder: String
    private let state = Mutex(State())

    init(folder: String) { self.folder = folder }

    func started(_ processID: pid_t) { state.withLock { $0.processIDs.append(processID) } }
    func ended(_ processID: pid_t) { state.withLock { $0.processIDs.removeAll { $0 == processID } } }
    func mounted(_ path: String) { state.withLock { $0.mounts.append(path) } }

    func clean() {
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
