internal import Foundation

package enum FilePath {
    /// The same as the kernel's.
    private static let maximumLinkCount = 40

    /// Follows all symbolic links, so that all names of a file have the same log and lock. The file need not exist.
    package static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<maximumLinkCount {
            if let found = real(path) { return found }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = target.hasPrefix("/") ? target : folder(of: path) + "/" + target
        }
        guard let parent = real(folder(of: path)) else { return path }
        return (parent == "/" ? "" : parent) + "/" + name(of: path)
    }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    package static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Does nothing if the folder cannot be opened.
    package static func syncFolder(of path: String) {
        let descriptor = open(folder(of: path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// In bytes; nil if there is no plain file of that name.
    package static func size(of path: String) -> Int64? {
        var file = stat()
        guard stat(path, &file) == 0, file.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(file.st_size)
    }

    /// Empty if it cannot be read. Not for a database that is open in this process: closing the file drops SQLite's
    /// locks.
    package static func firstBytes(of path: String, count: Int) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let readCount = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(bytes.prefix(max(0, readCount)))
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
