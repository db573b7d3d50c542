internal import GRDB

/// Why a catalog file cannot be read or made. For the operator: the message names the file, and says what to do.
package struct CatalogFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// There is no such file, or it may not be read.
        case notReadable
        /// The folder or the disk does not take it.
        case notWritable
        /// Something is there already, and was not to be replaced.
        case exists
        /// Another program is making a file of that name.
        case inUse
        /// The file is something else than a catalog.
        case notACatalog
        /// A newer program made it.
        case newer
        /// The program that makes it was stopped before the end.
        case unfinished
        /// It is a catalog, but broken.
        case damaged
        /// SQLite failed in another way.
        case failed
    }

    package let code: Code
    package let message: String

    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}

extension CatalogFileError {
    /// What an error that was met while reading the catalog at `path` means.
    init(reading path: String, _ error: any Error) {
        switch error {
        case let error as CatalogFileError:
            self = error
        case let error as DatabaseError:
            self.init(reading: path, error)
        default:
            self.init(code: .damaged, message: "the catalog \(path) holds a record that cannot be read: \(error)")
        }
    }

    private init(reading path: String, _ error: DatabaseError) {
        let reason = error.message ?? "\(error.extendedResultCode)"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self.init(code: .notACatalog, message: "\(path) is not a catalog file (\(reason))")
        // A table or a column that is missing is an error of its own.
        case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_MISMATCH:
            self.init(code: .damaged, message: "the catalog \(path) is damaged (\(reason)): make it anew")
        default:
            self.init(code: .notReadable, message: "the catalog \(path) cannot be read: \(reason)")
        }
    }

    /// What an error that was met while making the catalog at `path` means.
    init(writing path: String, _ error: any Error) {
        switch error {
        case let error as CatalogFileError:
            self = error
        case let error as DatabaseError:
            self.init(writing: path, error)
        case is RowDecodingError, is UnreadableCharacter:
            self.init(code: .damaged, message: "\(path) is damaged (\(error)): remove it, and start over")
        default:
            self.init(code: .failed, message: "the catalog \(path) cannot be made: \(error)")
        }
    }

    private init(writing path: String, _ error: DatabaseError) {
        let reason = error.message ?? "\(error.extendedResultCode)"
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_MISMATCH:
            self.init(code: .damaged, message: "\(path) is damaged (\(reason)): remove it, and start over")
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
            self.init(code: .notWritable, message: "the catalog \(path) cannot be written: \(reason)")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(code: .inUse, message: "another program has \(path) open")
        default:
            self.init(code: .failed, message: "the catalog \(path) cannot be made: \(reason)")
        }
    }
}
