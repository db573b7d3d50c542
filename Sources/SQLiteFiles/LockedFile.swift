internal import Glibc

/// An open file with an exclusive `flock`, which the kernel drops when the process ends in any way.
///
/// SQLite's own locks are of another kind (`fcntl`) and do not conflict with it. But closing any descriptor of a file
/// drops the process's `fcntl` locks on it. So a locked file is opened before SQLite opens it, and closed after.
package struct LockedFile: Sendable {
    package enum Failure: Error, Hashable {
        case isAbsent
        case isLocked
        case system(String)
    }

    package let path: String
    package let descriptor: CInt
    package let isNew: Bool

    private static let attemptCount = 100

    /// Creates a missing file with the permissions `mode` if `creating`. On an error nothing was created.
    package init(_ path: String, creating: Bool, mode: UInt32 = 0o600) throws(Failure) {
        for _ in 0..<LockedFile.attemptCount {
            guard let (descriptor, isNew) = try LockedFile.open(path, creating: creating, mode) else { continue }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                Glibc.close(descriptor)
                throw .isLocked
            }
            if FileIdentity(path: path) == FileIdentity(descriptor: descriptor) {
                self.path = path
                self.descriptor = descriptor
                self.isNew = isNew
                return
            }
            Glibc.close(descriptor)
        }
        throw .system("it is being replaced repeatedly")
    }

    /// Nil if another process created or removed the file in between.
    private static func open(
        _ path: String,
        creating: Bool,
        _ mode: mode_t
    ) throws(Failure) -> (descriptor: CInt, isNew: Bool)? {
        let flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = Glibc.open(path, flags)
        if descriptor >= 0 { return (descriptor, false) }
        guard errno == ENOENT else { throw .system(String(cString: strerror(errno))) }
        guard creating else { throw .isAbsent }
        let new = Glibc.open(path, flags | O_CREAT | O_EXCL, mode)
        if new >= 0 { return (new, true) }
        guard errno == EEXIST else { throw .system(String(cString: strerror(errno))) }
        return nil
    }

    package var identity: FileIdentity? { FileIdentity(descriptor: descriptor) }

    /// In bytes; nil if the system does not report it.
    package var size: Int64? {
        var file = stat()
        return fstat(descriptor, &file) == 0 ? Int64(file.st_size) : nil
    }

    /// A file without a header may belong to any program: its bytes are zeros, or missing.
    package func mayBelong(to applicationID: Int32?) -> Bool {
        var header = [UInt8](repeating: 0, count: 100)
        let count = header.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { return false }
        return header.allSatisfy { $0 == 0 } || header[68..<72].reduce(0) { $0 << 8 | Int32($1) } == applicationID
    }

    package func close() {
        // `close` alone is not enough: a forked child that has not started its program yet would keep the lock.
        flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
    }
}
