internal import Foundation
internal import SQLiteFiles

/// An unfinished copy of a store, next to its target: `TARGET.partial-PID`, only for its owner.
///
/// It is locked while it is written. An unlocked file is from a program that was killed.
struct PartialCopy {
    private static let mark = ".partial-"

    private let file: LockedFile

    var path: String { file.path }

    /// Creates an empty file, and removes those that killed programs left in the same folder.
    ///
    /// - Throws: `.notWritable`.
    init(of target: String) throws(FavoritesStoreOpenError) {
        PartialCopy.removeAbandoned(besides: target)
        do {
            file = try LockedFile("\(target)\(PartialCopy.mark)\(getpid())", creating: true)
        } catch {
            let reason = if case .system(let text) = error { text } else { "another copy to it is in progress" }
            throw FavoritesStoreOpenError(.notWritable, "cannot write \(target): \(reason)")
        }
    }

    /// Renames the copy to its target. It is synced first, so that after a loss of power the name belongs to a whole
    /// file.
    ///
    /// - Throws: `.notWritable`, or an error if there is a file that must not be replaced.
    func place(at target: String, overwriting: Bool) throws(FavoritesStoreOpenError) {
        guard fsync(file.descriptor) == 0, rename(to: target, overwriting: overwriting) else {
            guard errno != EEXIST else { throw StoreBackup.exists(target) }
            let reason = String(cString: strerror(errno))
            throw FavoritesStoreOpenError(.notWritable, "cannot write \(target): \(reason)")
        }
        FilePath.syncFolder(of: target)
    }

    /// Without `overwriting`, a file that appears at `target` meanwhile is not replaced. A check beforehand cannot
    /// ensure that.
    private func rename(to target: String, overwriting: Bool) -> Bool {
        if overwriting { return Foundation.rename(path, target) == 0 }
        guard link(path, target) == 0 else { return false }
        // The old name is removed immediately: a store with two names is refused.
        unlink(path)
        return true
    }

    func remove() {
        PartialCopy.remove(path)
        file.close()
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    private static func removeAbandoned(besides target: String) {
        let folder = FilePath.folder(of: target)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where isPartial(name) {
            guard let file = try? LockedFile("\(folder)/\(name)", creating: false) else { continue }
            if isOurs(file) { remove(file.path) }
            file.close()
        }
    }

    private static func isPartial(_ name: String) -> Bool {
        guard let mark = name.range(of: mark, options: .backwards) else { return false }
        let number = name[mark.upperBound...]
        return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Whether a file has the header of a store. The header is written last, so it may also be missing.
    private static func isOurs(_ file: LockedFile) -> Bool {
        var header = [UInt8](repeating: 0, count: 100)
        let count = header.withUnsafeMutableBytes { pread(file.descriptor, $0.baseAddress, $0.count, 0) }
        guard file.size != nil, count >= 0 else { return false }
        if header.allSatisfy({ $0 == 0 }) { return true }
        let id = header[68..<72].reduce(0) { $0 << 8 | Int32($1) }
        return header.starts(with: Array("SQLite format 3".utf8)) && id == StoreSchema.applicationID
    }
}
