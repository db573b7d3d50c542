internal import Foundation
internal import SQLiteFiles
internal import Synchronization

/// An exclusive lock on a store's file until its release: one store has one server.
///
/// The file itself is locked, under any name. `STORE.lock` beside it is locked too: it names the owner, and stands for
/// a store that does not exist yet. Servers of earlier versions lock nothing else. It stays at the end, and has no
/// meaning while it is unlocked. (SQLite's exclusive mode would exclude programs that copy or check the store.)
///
/// `release` comes after SQLite's connections are closed, as `LockedFile` requires.
final class StoreLock: Sendable {
    private struct Files {
        let lockFile: LockedFile
        /// Nil before the store exists.
        var store: LockedFile?
    }

    /// After following all links.
    let path: String
    private let files: Mutex<Files?>

    /// The store need not exist yet. `address` is this server's, for the message to a second server.
    ///
    /// - Throws: An error, which names the owner of a store in use; then nothing was created.
    init(store: String, address: String?) throws(FavoritesStoreOpenError) {
        path = FilePath.resolved(store)
        try StoreLock.checkKind(of: path)
        let lockFile: LockedFile
        do {
            lockFile = try LockedFile(path + ".lock", creating: true)
        } catch {
            throw StoreLock.refusal(of: path, error, meeting: "its lock file \(path).lock cannot be written")
        }
        let file: LockedFile?
        do throws(LockedFile.Failure) {
            file = try LockedFile(path, creating: false)
        } catch .isAbsent {
            file = nil
        } catch {
            if lockFile.isNew { unlink(lockFile.path) }
            lockFile.close()
            throw StoreLock.refusal(of: path, error, meeting: "its file cannot be written")
        }
        files = Mutex(Files(lockFile: lockFile, store: file))
        write(address: address)
    }

    deinit { release() }

    /// Creates a missing store file, empty.
    ///
    /// - Throws: An error if it cannot be created, or another server has it.
    func makeStore() throws(FavoritesStoreOpenError) {
        guard files.withLock({ $0 != nil && $0?.store == nil }) else { return }
        do {
            let store = try LockedFile(path, creating: true)
            files.withLock { $0?.store = store }
        } catch {
            throw StoreLock.refusal(of: path, error, meeting: "its file cannot be created")
        }
    }

    /// Makes the files of the store accessible only to their owner. Files that SQLite creates get the mode of the
    /// store.
    func makePrivate() {
        files.withLock { files in
            guard let files else { return }
            for descriptor in [files.lockFile.descriptor, files.store?.descriptor].compactMap(\.self) {
                _ = fchmod(descriptor, 0o600)
            }
        }
        for suffix in ["-wal", "-shm", "-journal"] { _ = chmod(path + suffix, 0o600) }
    }

    var identities: [String: FileIdentity] {
        files.withLock { files in
            var identities: [String: FileIdentity] = [:]
            for file in [files?.lockFile, files?.store].compactMap(\.self) { identities[file.path] = file.identity }
            return identities
        }
    }

    /// Writes the lock's owner into the lock file. A failure is ignored: the lock is valid without it.
    func write(address: String?) {
        let text = "pid \(getpid())" + (address.map { " at \($0)" } ?? "") + "\n"
        files.withLock { files in
            guard let descriptor = files?.lockFile.descriptor else { return }
            ftruncate(descriptor, 0)
            _ = Array(text.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        }
    }

    func release() {
        guard let files = files.withLock({ $0.take() }) else { return }
        files.store?.close()
        files.lockFile.close()
    }

    /// Releases the lock of a store that was not opened, and removes the files that were created for it.
    func abandon() {
        guard let files = files.withLock({ $0.take() }) else { return }
        if let store = files.store {
            if store.isNew, store.size == 0 { unlink(store.path) }
            store.close()
        }
        if files.lockFile.isNew { unlink(files.lockFile.path) }
        files.lockFile.close()
    }

    /// - Throws: An error if it is not a plain file, or has hard links. Under another link, a server would use another
    ///   log and lock file.
    private static func checkKind(of path: String) throws(FavoritesStoreOpenError) {
        var file = stat()
        guard stat(path, &file) == 0 else { return }
        guard file.st_mode & S_IFMT == S_IFREG else {
            throw FavoritesStoreOpenError("\(path) is not a regular file")
        }
        guard file.st_nlink <= 1 else {
            throw FavoritesStoreOpenError(
                "the store \(path) has \(file.st_nlink) names (hard links), each with its own log: remove "
                    + "the others; `find -samefile \(path)` lists them"
            )
        }
    }

    private static func refusal(
        of store: String,
        _ failure: LockedFile.Failure,
        meeting problem: String
    ) -> FavoritesStoreOpenError {
        switch failure {
        case .isLocked:
            FavoritesStoreOpenError(
                "the store \(store) is already in use by \(holder(of: store)): stop that server or choose "
                    + "another store"
            )
        case .isAbsent:
            FavoritesStoreOpenError("cannot open a store at \(store): it was removed")
        case .system(let reason):
            FavoritesStoreOpenError("cannot open a store at \(store): \(problem): \(reason)")
        }
    }

    /// The text of the lock's owner: a short printable line, because the file may contain anything.
    private static func holder(of store: String) -> String {
        let bytes = FilePath.firstBytes(of: store + ".lock", count: 200)
        let printable = bytes.prefix { (0x20...0x7E).contains($0) }
        return printable.isEmpty ? "another process" : String(decoding: printable, as: UTF8.self)
    }
}

/// The identities of the files of an open store, read when it was opened.
///
/// SQLite continues to write into a file that was moved, replaced or deleted. The next restart loses changes that it
/// acknowledges then. So the names are looked up before and after each commit. `stat` opens nothing: closing the
/// store's file elsewhere in the process would drop SQLite's locks. The lock file is included: an older server locks
/// nothing else, and could open the store if that file was removed.
struct StoreFiles: Sendable {
    private let identities: [(path: String, identity: FileIdentity)]

    /// The store at `path` is open.
    init(path: String, lock: StoreLock) {
        let log = lock.path + "-wal"
        var identities = lock.identities
        identities[path] = identities[lock.path]
        identities[log] = FileIdentity(path: log)
        self.identities = identities.map { (path: $0.key, identity: $0.value) }
    }

    /// Checks that the names still belong to the same files. `isCommitted` is for a check after a commit.
    ///
    /// - Throws: `StoreFileReplaced`.
    func verify(isCommitted: Bool = false) throws {
        for (path, identity) in identities where FileIdentity(path: path) != identity {
            throw StoreFileReplaced(path: path, isCommitted: isCommitted)
        }
    }
}

struct StoreFileReplaced: Error, CustomStringConvertible {
    let path: String
    let isCommitted: Bool

    var description: String { "\(path) was moved, replaced or deleted while the store was open" }
}
