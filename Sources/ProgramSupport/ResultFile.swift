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

    package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Failure(path, errno: errno) }
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
