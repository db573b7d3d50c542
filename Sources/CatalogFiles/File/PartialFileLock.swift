internal import Foundation
internal import Synchronization

/// An exclusive lock on a partial file, so that only one program writes it. The kernel releases it when the process
/// ends.
///
/// SQLite's own locks on the file are of another kind (`fcntl`, not `flock`) and do not conflict with it. But closing
/// any descriptor of the file releases SQLite's locks, so the lock's descriptor is opened before the database and
/// closed after it.
final class PartialFileLock: Sendable {
    /// The descriptor of the locked file; nil after the release.
    private let descriptor: Mutex<CInt?>

    /// Creates the file if there is none, and locks it.
    ///
    /// - Throws: `.inUse` or `.notWritable`.
    init(_ path: String) throws(CatalogFileError) {
        // Another program may finish the file, and so rename it, before it is locked here. Then a new one is created.
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(errno))
                throw CatalogFileError(code: .notWritable, message: "cannot write \(path): \(reason)")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw CatalogFileError(code: .inUse, message: "another program is at work on \(path)")
            }
            if PartialFileLock.isNamed(path, descriptor) {
                self.descriptor = Mutex(descriptor)
                return
            }
            close(descriptor)
        }
    }

    deinit { release() }

    /// Truncates the file.
    func empty() {
        descriptor.withLock { descriptor in
            if let descriptor { ftruncate(descriptor, 0) }
        }
    }

    func release() {
        descriptor.withLock { descriptor in
            guard let open = descriptor.take() else { return }
            // If the descriptor were only closed, a forked child that has not called `exec` yet would still hold the
            // lock.
            flock(open, LOCK_UN)
            close(open)
        }
    }

    private static func isNamed(_ path: String, _ descriptor: CInt) -> Bool {
        var (file, named) = (stat(), stat())
        guard fstat(descriptor, &file) == 0, stat(path, &named) == 0 else { return false }
        return file.st_dev == named.st_dev && file.st_ino == named.st_ino
    }
}
