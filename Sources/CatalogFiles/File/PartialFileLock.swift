internal import Foundation
internal import Synchronization

/// One file, one program that makes it: an exclusive lock on the file itself, which the kernel drops with the process.
///
/// SQLite's own locks on the file are of another kind (`fcntl`, not `flock`) and do not meet it; but closing any
/// descriptor of the file drops those, so this one is opened before the database and closed after it.
final class PartialFileLock: Sendable {
    /// Nil once released.
    private let descriptor: Mutex<CInt?>

    /// Makes the file if there is none.
    ///
    /// - Throws: `.inUse` or `.notWritable`.
    init(_ path: String) throws(CatalogFileError) {
        // What was opened may have got its final name before it was locked: then it is another program's work, done.
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

    /// Throws away what is in the file.
    func empty() {
        descriptor.withLock { descriptor in
            if let descriptor { ftruncate(descriptor, 0) }
        }
    }

    func release() {
        descriptor.withLock { descriptor in
            guard let open = descriptor.take() else { return }
            // Closing alone would leave the lock to a child that was forked and has not yet become its program.
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
