import Glibc
import LongRuns

/// What a small write and its sync cost on a disk now, with no server in between.
final class DiskSync {
    private let descriptor: Int32

    init(file: String) throws {
        descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw RunError("cannot make \(file)") }
    }

    deinit { close(descriptor) }

    /// In microseconds.
    func measure() throws -> Double {
        let begin = ContinuousClock.now
        let count = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 1)
            return pwrite(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        guard count == 4096, fdatasync(descriptor) == 0 else { throw RunError("a sync failed: \(errno)") }
        return (ContinuousClock.now - begin) / .microseconds(1)
    }
}
