internal import Foundation

/// The files of an open store, as they were when it was opened.
///
/// SQLite goes on writing into a file that was moved away, replaced or deleted: what it acknowledges then is gone with
/// the next restart. So before and after each commit the names are looked up (`stat`, which opens nothing: closing the
/// store's file elsewhere in the process would drop SQLite's locks).
struct StoreFiles: Sendable {
    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t

        /// Nil if there is no file of that name.
        init?(_ path: String) {
            var file = stat()
            guard stat(path, &file) == 0 else { return nil }
            device = file.st_dev
            inode = file.st_ino
        }
    }

    private let identities: [String: Identity]

    /// Of the store at `path`, which is open.
    init(path: String) {
        let store = StoreLock.resolved(path)
        let paths = [path, store, store + "-wal"]
        identities = paths.reduce(into: [:]) { $0[$1] = Identity($1) }
    }

    /// - Throws: `StoreFileGone`.
    func verify() throws {
        for (path, identity) in identities where Identity(path) != identity {
            throw StoreFileGone(path: path)
        }
    }
}

/// A file of the store is no longer the one that is open.
struct StoreFileGone: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path) was moved, replaced or deleted while the store was open" }
}
