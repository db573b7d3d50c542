internal import Foundation

/// How a file gets its name only when it is whole, and keeps it whatever happens then.
enum FilePlace {
    /// The path behind symbolic links, so that what a link points to is replaced and not the link.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Syncs `partial`, gives it the name `target`, and syncs the folder: a name that survives a loss of power is then
    /// that of a whole file.
    static func move(_ partial: String, to target: String, replacing: Bool) throws(CatalogFileError) {
        for suffix in logSuffixes where access(target + suffix, F_OK) == 0 {
            // SQLite would take it for the log of the new file.
            throw CatalogFileError(
                code: .exists,
                message: "\(target)\(suffix) is the log of another database: remove it, or name another file"
            )
        }
        // A link is made only where there is no file, which a look beforehand cannot promise.
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

    /// The file, and what SQLite may have left beside it.
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
