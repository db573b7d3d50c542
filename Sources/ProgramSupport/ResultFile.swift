internal import Glibc
internal import Terminal

package enum ResultFile {
    /// Changes nothing.
    package static func check(_ path: String) throws(Failure) {
        var status = stat()
        let exists = stat(path, &status) == 0
        let isFolder = exists && status.st_mode & S_IFMT == S_IFDIR
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard !isFolder, access(exists ? path : folder, exists ? W_OK : W_OK | X_OK) == 0 else {
            throw Failure(path, errno: isFolder ? EISDIR : errno)
        }
    }

    /// If the disk is full, the previous file stays. A link, a device, a pipe, or a file of another user is written in
    /// place, and so is a file in a folder that takes no new one.
    package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        guard try !replace(path, with: bytes) else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Failure(path, errno: errno) }
        try write(bytes, to: file, at: path)
    }

    /// False if the file must be written in place.
    private static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) -> Bool {
        var status = stat()
        let exists = lstat(path, &status) == 0
        if exists {
            let isOwn = status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
            guard isOwn, access(path, W_OK) == 0 else { return false }
        }
        let partial = "\(path).\(getpid()).new"
        let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { return false }
        if exists { fchmod(file, status.st_mode & 0o777) }
        do throws(Failure) {
            try write(bytes, to: file, at: path)
        } catch {
            unlink(partial)
            throw error
        }
        guard rename(partial, path) == 0 else {
            unlink(partial)
            return false
        }
        return true
    }

    private static func write(_ bytes: [UInt8], to file: Int32, at path: String) throws(Failure) {
        do throws(OutputError) {
            try FileOutput(descriptor: file).write(bytes)
        } catch {
            close(file)
            throw Failure(path, error.description)
        }
        guard close(file) == 0 else { throw Failure(path, errno: errno) }
    }

    package struct Failure: Error, CustomStringConvertible {
        let path: String
        package let reason: String

        fileprivate init(_ path: String, _ reason: String) { (self.path, self.reason) = (path, reason) }

        fileprivate init(_ path: String, errno: Int32) { self.init(path, String(cString: strerror(errno))) }

        package var description: String { "\(path) cannot be written: \(reason)" }
    }
}
