internal import Foundation

/// The operations that replace a file atomically and durably.
enum AtomicFile {
    /// Syncs `partial`, gives it the name `target`, and syncs the folder. After a loss of power the name is that of a
    /// complete file.
    static func move(_ partial: String, to target: String, replacing: Bool) throws(CatalogFileError) {
        for suffix in logSuffixes where access(target + suffix, F_OK) == 0 {
            // SQLite would apply this log to the new file.
            throw CatalogFileError(
                code: .exists,
                message: "\(target)\(suffix) is the log of another database: remove it, or name another file"
            )
        }
        // Unlike a check beforehand, `link` fails without a race if the file exists.
        guard sync(partial), (replacing ? rename(partial, target) : link(partial, target)) == 0 else {
            guard errno != EEXIST else { throw exists(target) }
            let reason = String(cString: strerror(errno))
            throw CatalogFileError(code: .notWritable, message: "cannot write \(target): \(reason)")
        }
        if !replacing { unlink(partial) }
        _ = sync(URL(filePath: target).deletingLastPathComponent().path)
    }

    static func exists(_ target: String) -> CatalogFileError {
        CatalogFileError(code: .exists, message: "\(target) exists, and was not replaced")
    }

    /// Deletes a file and SQLite's logs beside it.
    static func remove(_ path: String) {
        unlink(path)
        removeLogs(of: path)
    }

    static func removeLogs(of path: String) {
        for suffix in logSuffixes + ["-shm"] { unlink(path + suffix) }
    }

    private static let logSuffixes = ["-journal", "-wal"]

    private static func sync(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }
}
