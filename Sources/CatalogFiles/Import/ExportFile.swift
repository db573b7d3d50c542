internal import Foundation
internal import SQLiteFiles

/// The output of an export: standard output, or a file that gets its name when it is complete.
package final class ExportFile {
    private static let pieceByteCount = 1 << 16

    private let target: String?
    /// The path of the file until it is complete; nil for standard output.
    private let partial: String?
    private let lock: PartialFileLock?
    private let descriptor: CInt
    private let isReplacing: Bool
    private var waiting: [UInt8] = []

    /// - Parameters:
    ///   - path: The path of the file; nil for standard output.
    ///   - replacing: Whether an existing file may be replaced.
    /// - Throws: `CatalogFileError`.
    package init(_ path: String?, replacing: Bool) throws(CatalogFileError) {
        guard let path else {
            (target, partial, lock, descriptor) = (nil, nil, nil, STDOUT_FILENO)
            isReplacing = true
            return
        }
        if !replacing, access(path, F_OK) == 0 { throw AtomicFile.exists(path) }
        // The target of a link is replaced, and not the link.
        let target = FilePath.resolved(path)
        let partial = target + ".tmp"
        let lock = try PartialFileLock(partial)
        lock.empty()
        descriptor = open(partial, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ExportFile.notWritable(target) }
        (self.target, self.partial, self.lock) = (target, partial, lock)
        isReplacing = replacing
    }

    package func write(_ bytes: [UInt8]) throws(CatalogFileError) {
        waiting += bytes
        if waiting.count >= ExportFile.pieceByteCount { try flush() }
    }

    /// Writes the rest, and gives the file its name.
    ///
    /// - Throws: `CatalogFileError`; then an existing file has not changed.
    package func finish() throws(CatalogFileError) {
        try flush()
        guard let target, let partial else { return }
        close(descriptor)
        try AtomicFile.move(partial, to: target, replacing: isReplacing)
        lock?.release()
    }

    /// Deletes the unfinished file.
    package func discard() {
        guard let partial else { return }
        AtomicFile.remove(partial)
        lock?.release()
    }

    private func flush() throws(CatalogFileError) {
        var rest = waiting[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { throw ExportFile.notWritable(target ?? "standard output") }
            } else {
                rest = rest.dropFirst(count)
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private static func notWritable(_ name: String) -> CatalogFileError {
        CatalogFileError(code: .notWritable, message: "cannot write \(name): \(String(cString: strerror(errno)))")
    }
}
