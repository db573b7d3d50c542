internal import SQLiteFiles

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

    /// The store that a file belongs to by its name, if any.
    static func owner(of path: String) -> String? {
        for suffix in ["-wal", "-shm", "-journal", ".lock", ".witness", ".cache", ".edits"] where path.hasSuffix(suffix)
        {
            let store = String(path.dropLast(suffix.count))
            if FilePath.size(of: store) != nil { return store }
        }
        return nil
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
