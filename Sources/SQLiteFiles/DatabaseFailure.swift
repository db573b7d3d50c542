internal import CSQLite

package enum DatabaseFailure: Sendable, Hashable {
    case notADatabase
    /// On a damaged file every change may damage more.
    case damaged
    /// This program did not leave the row so.
    case constraint
    /// A table or a column is missing, or a value is of another type.
    case schema
    case diskFull
    /// The disk failed to sync. Then the kernel treats the pages as written, so a later successful sync proves nothing.
    case syncFailed
    case diskFailing
    case readOnly
    /// A file cannot be opened, or the permissions deny it.
    case notOpened
    case busy
    case outOfMemory
    case tooLarge
    /// It exceeded its time, or the program ends.
    case interrupted
    case other

    /// `SQLITE_IOERR_FSYNC` and `SQLITE_IOERR_DIR_FSYNC`, whose macros Swift does not import.
    private static let (syncFailure, folderSyncFailure) = (SQLITE_IOERR | 4 << 8, SQLITE_IOERR | 5 << 8)

    fileprivate init(code: CInt) {
        self =
            switch code & 0xFF {
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CORRUPT: .damaged
            case SQLITE_ERROR, SQLITE_MISMATCH: .schema
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_FULL: .diskFull
            case SQLITE_IOERR where [Self.syncFailure, Self.folderSyncFailure].contains(code): .syncFailed
            case SQLITE_IOERR: .diskFailing
            case SQLITE_READONLY: .readOnly
            case SQLITE_CANTOPEN, SQLITE_PERM: .notOpened
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_NOMEM: .outOfMemory
            case SQLITE_TOOBIG: .tooLarge
            case SQLITE_INTERRUPT: .interrupted
            default: .other
            }
    }

    package var isDamage: Bool {
        switch self {
        case .notADatabase, .damaged, .constraint, .schema, .tooLarge: true
        default: false
        }
    }

    /// Whether writing must end until the file is opened again.
    package var endsWriting: Bool {
        switch self {
        case .notADatabase, .damaged, .constraint, .syncFailed: true
        default: false
        }
    }

    /// Contains no paths and no SQL. `file` is like "the store".
    package func text(about file: String) -> String {
        switch self {
        case .notADatabase, .damaged, .constraint: "\(file) is damaged"
        case .diskFull: "the disk is full"
        case .syncFailed: "the disk failed to sync a change; restart to accept changes again"
        case .diskFailing: "the disk is failing"
        case .readOnly: "\(file) is read-only"
        case .notOpened: "cannot open a file of \(file)"
        case .busy: "another program has locked \(file)"
        case .outOfMemory: "\(file) is out of memory"
        case .tooLarge: "a record of \(file) is too large"
        case .interrupted: "\(file) took too long"
        case .schema, .other: "\(file) failed"
        }
    }
}

/// An error of SQLite, or a value in a file that no program of this project has written.
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// SQLite's extended result code.
    package let code: CInt
    /// SQLite's message, for the operator; it may contain SQL.
    package let reason: String
    /// Whether a commit failed. The transaction may still be there when the file is opened again.
    package internal(set) var isOfCommit = false

    package init(_ code: CInt, _ message: String? = nil) {
        self.code = code
        reason = message ?? String(cString: sqlite3_errstr(code))
    }

    /// The message is like "a list has an invalid name".
    package static func damaged(_ message: String) -> DatabaseError { DatabaseError(SQLITE_CORRUPT, message) }

    package var failure: DatabaseFailure { DatabaseFailure(code: code) }

    package var description: String { "SQLite error \(code): \(reason)" }
}
