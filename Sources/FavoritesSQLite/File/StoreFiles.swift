internal import SQLiteFiles

/// The identities of the files of an open store, taken when it was opened.
///
/// SQLite continues to write into a file that was moved, replaced or deleted: changes that it acknowledges then are
/// lost with the next restart. So the names are looked up before and after each commit (`stat`, which opens nothing:
/// closing the store's file elsewhere in the process would drop SQLite's locks). The lock file is included: an older
/// server locks nothing else, and could open the store if that file was removed.
struct StoreFiles: Sendable {
    private let identities: [(path: String, identity: FileIdentity)]

    /// - Parameters:
    ///   - path: The path of the store, which is open.
    ///   - lock: The lock on it.
    init(path: String, lock: StoreLock) {
        let log = lock.path + "-wal"
        var identities = lock.identities
        identities[path] = identities[lock.path]
        identities[log] = FileIdentity(path: log)
        self.identities = identities.map { (path: $0.key, identity: $0.value) }
    }

    /// Returns the store that a file belongs to by its name; nil if it is not a file of a store.
    static func owner(of path: String) -> String? {
        for suffix in ["-wal", "-shm", "-journal", ".lock", ".witness", ".cache", ".edits"] where path.hasSuffix(suffix)
        {
            let store = String(path.dropLast(suffix.count))
            if FilePath.size(of: store) != nil { return store }
        }
        return nil
    }

    /// Checks that the names still belong to the same files.
    ///
    /// - Parameter isCommitted: Whether a change was committed just now.
    /// - Throws: `StoreFileReplaced`.
    func verify(isCommitted: Bool = false) throws {
        for (path, identity) in identities where FileIdentity(path: path) != identity {
            throw StoreFileReplaced(path: path, isCommitted: isCommitted)
        }
    }
}

/// The error that a file of the store is no longer the one that is open.
struct StoreFileReplaced: Error, CustomStringConvertible {
    let path: String
    /// Whether it was found after a commit.
    let isCommitted: Bool

    var description: String { "\(path) was moved, replaced or deleted while the store was open" }
}
