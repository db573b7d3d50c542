internal import SQLiteFiles
internal import Synchronization

/// An exclusive lock on a partial file, so that only one program writes it. The kernel releases it when the process
/// ends.
final class PartialFileLock: Sendable {
    /// The locked file; nil after the release.
    private let file: Mutex<LockedFile?>

    /// Creates the file if there is none, and locks it.
    ///
    /// - Throws: `.inUse` or `.notWritable`.
    init(_ path: String) throws(CatalogFileError) {
        do throws(LockedFile.Failure) {
            file = Mutex(try LockedFile(path, creating: true, mode: 0o644))
        } catch {
            switch error {
            case .isLocked:
                throw CatalogFileError(code: .inUse, message: "another program is at work on \(path)")
            case .isAbsent:
                throw CatalogFileError(code: .notWritable, message: "cannot write \(path): it was removed")
            case .system(let reason):
                throw CatalogFileError(code: .notWritable, message: "cannot write \(path): \(reason)")
            }
        }
    }

    deinit { release() }

    /// Truncates the file.
    func empty() { file.withLock { $0?.truncate() } }

    func release() { file.withLock { $0.take() }?.close() }
}
