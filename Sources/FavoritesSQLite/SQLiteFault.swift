internal import GRDB
internal import MarvelDomain

/// The meaning of an SQLite error for the caller. The text reaches clients, so it holds no path and no SQL.
struct SQLiteFault {
    let text: String
    /// Whether the store accepts no more changes until it is opened again.
    ///
    /// After a failed sync the kernel treats the pages as written, so a later sync that succeeds proves nothing. On a
    /// damaged file every change may damage more.
    let endsWriting: Bool

    init(_ error: any Error) {
        if error is StoreFileReplaced {
            self.init("the store's file was moved, replaced or deleted", endsWriting: true)
            return
        }
        guard let error = error as? DatabaseError else {
            self.init("a record of the store cannot be read")
            return
        }
        switch error.extendedResultCode {
        case .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC:
            self.init("the disk failed to sync a change; no more are accepted until a restart", endsWriting: true)
        default:
            self.init(error.resultCode)
        }
    }

    private init(_ code: ResultCode) {
        switch code {
        case .SQLITE_FULL: self.init("the disk is full")
        case .SQLITE_IOERR: self.init("the disk is failing")
        case .SQLITE_READONLY: self.init("the store is read-only")
        case .SQLITE_BUSY, .SQLITE_LOCKED: self.init("another program holds the store")
        case .SQLITE_CANTOPEN, .SQLITE_PERM: self.init("a file of the store cannot be opened")
        case .SQLITE_NOMEM: self.init("the store is out of memory")
        // A violated constraint shows that the disk differs from the state in memory.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT: self.init("the store is damaged", endsWriting: true)
        default: self.init("the store failed")
        }
    }

    private init(_ text: String, endsWriting: Bool = false) {
        self.text = text
        self.endsWriting = endsWriting
    }
}

extension FavoritesStoreOpenError {
    /// Converts an error that occurred while opening the store at `path` into one for the operator.
    init(opening path: String, _ error: any Error) {
        switch error {
        case let error as FavoritesStoreOpenError:
            self = error
        case let error as DatabaseError:
            self.init(opening: path, error)
        case let error as StoreFileReplaced:
            self.init(code: .failed, message: "the store \(path) cannot be opened: \(error)")
        default:
            let reason = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
            self.init(code: .damaged, message: "the store \(path) holds a record that cannot be read: \(reason)")
        }
    }

    private init(opening path: String, _ error: DatabaseError) {
        let reason = error.message ?? "\(error.extendedResultCode)"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self.init(code: .notAStore, message: "\(path) is not a favorites store (\(reason)); it was not touched")
        case .SQLITE_CORRUPT:
            self.init(code: .damaged, message: "the store \(path) is damaged (\(reason)): restore a copy")
        case .SQLITE_READONLY, .SQLITE_FULL, .SQLITE_PERM, .SQLITE_CANTOPEN:
            self.init(code: .notWritable, message: "the store \(path) or its folder cannot be written: \(reason)")
        default:
            self.init(code: .failed, message: "the store \(path) cannot be opened: \(reason)")
        }
    }
}
