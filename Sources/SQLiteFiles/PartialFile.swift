internal import Foundation
internal import Synchronization

/// `TARGET.partial-PID`, which gets the name of the target when it is complete and on disk. It is locked while it is
/// written: an unlocked file is from a program that was killed.
package final class PartialFile: Sendable {
    package enum Failure: Error, Hashable {
        case targetExists
        case system(String)
    }

    private static let mark = ".partial-"

    /// Symbolic links are resolved.
    package let target: String
    package let path: String
    private let file: Mutex<LockedFile?>

    /// Removes those that killed programs left: empty files, and databases with this id. It opens no other file.
    ///
    /// - Throws: An error also if the target is a device, a folder, a database with another id, or by its name a file of a
    ///   database.
    package init(of target: String, applicationID: Int32? = nil, mode: UInt32 = 0o600) throws(Failure) {
        let target = FilePath.resolved(target)
        try PartialFile.check(target, applicationID)
        let path = "\(target)\(PartialFile.mark)\(getpid())"
        PartialFile.removeAbandoned(besides: target, applicationID)
        do throws(LockedFile.Failure) {
            let locked = try LockedFile(path, creating: true, mode: mode)
            guard locked.isNew else {
                locked.close()
                throw .system("\(path) already exists: remove it")
            }
            file = Mutex(locked)
        } catch {
            let reason = if case .system(let reason) = error { reason } else { "another program is writing \(path)" }
            throw .system(reason)
        }
        (self.target, self.path) = (target, path)
    }

    /// A careless `--overwrite` destroys neither a store nor `/dev/null`.
    private static func check(_ target: String, _ applicationID: Int32?) throws(Failure) {
        for suffix in ["-wal", "-shm", "-journal", ".lock", ".witness", ".cache", ".edits"]
        where target.hasSuffix(suffix) {
            let store = String(target.dropLast(suffix.count))
            guard FilePath.size(of: store) == nil else {
                throw .system("it is a file of the store \(store): choose another file")
            }
        }
        guard access(target, F_OK) == 0 else { return }
        guard FilePath.size(of: target) != nil else { throw .system("it is not a regular file") }
        let header = FilePath.firstBytes(of: target, count: 100)
        guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8) else { return }
        guard header[68..<72].reduce(0, { $0 << 8 | Int32($1) }) == applicationID else {
            throw .system("it is a database of another kind")
        }
    }

    deinit { remove() }

    /// After a power loss the name never belongs to a partial file.
    package func place(overwriting: Bool) throws(Failure) {
        // Unlike a check beforehand, `link` fails without a race if the file exists.
        guard file.withLock({ fsync($0?.descriptor ?? -1) }) == 0,
            (overwriting ? rename(path, target) : link(path, target)) == 0
        else { throw errno == EEXIST ? .targetExists : .system(String(cString: strerror(errno))) }
        // The old name is removed immediately: a store with two names is refused.
        if !overwriting { unlink(path) }
        FilePath.syncFolder(of: target)
        file.withLock { $0.take() }?.close()
    }

    /// Removes the file, unless it was placed.
    package func remove() {
        guard let file = file.withLock({ $0.take() }) else { return }
        PartialFile.remove(file)
    }

    private static func remove(_ file: LockedFile) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file.path + suffix) }
        file.close()
    }

    private static func removeAbandoned(besides target: String, _ applicationID: Int32?) {
        let folder = FilePath.folder(of: target)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where isPartial(name) {
            guard let file = try? LockedFile("\(folder)/\(name)", creating: false) else { continue }
            if file.mayBelong(to: applicationID) { remove(file) } else { file.close() }
        }
    }

    private static func isPartial(_ name: String) -> Bool {
        guard let mark = name.range(of: mark, options: .backwards) else { return false }
        let number = name[mark.upperBound...]
        return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    }
}
