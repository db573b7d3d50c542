internal import Foundation

/// The device and inode of a file, which stay as they are when the file gets another name.
struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil if there is no file of that name.
    init?(path: String) {
        var file = stat()
        guard stat(path, &file) == 0 else { return nil }
        self.init(file)
    }

    /// Nil if the descriptor is not open.
    init?(descriptor: CInt) {
        var file = stat()
        guard fstat(descriptor, &file) == 0 else { return nil }
        self.init(file)
    }

    private init(_ file: stat) {
        device = file.st_dev
        inode = file.st_ino
    }
}

/// The files of an open store, as they were when it was opened.
///
/// SQLite goes on writing into a file that was moved away, replaced or deleted: what it acknowledges then is gone with
/// the next restart. So before and after each commit the names are looked up (`stat`, which opens nothing: closing the
/// store's file elsewhere in the process would drop SQLite's locks). The lock file is one of them: an older server, which
/// locks nothing else, could have the store when it was removed.
struct StoreFiles: Sendable {
    private let identities: [String: FileIdentity]

    /// - Parameters:
    ///   - path: The path of the store, which is open.
    ///   - lock: The lock on it.
    init(path: String, lock: StoreLock) {
        let log = lock.path + "-wal"
        var identities = lock.identities
        identities[path] = identities[lock.path]
        identities[log] = FileIdentity(path: log)
        self.identities = identities
    }

    /// The store that a file belongs to by its name; nil if it is none of a store's files.
    static func owner(of path: String) -> String? {
        for suffix in ["-wal", "-shm", "-journal", ".lock", ".witness", ".cache"] where path.hasSuffix(suffix) {
            let store = String(path.dropLast(suffix.count))
            if FilePath.size(of: store) != nil { return store }
        }
        return nil
    }

    /// - Throws: `StoreFileGone`.
    func verify() throws {
        for (path, identity) in identities where FileIdentity(path: path) != identity {
            throw StoreFileGone(path: path)
        }
    }
}

/// A file of the store is no longer the one that is open.
struct StoreFileGone: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path) was moved, replaced or deleted while the store was open" }
}
