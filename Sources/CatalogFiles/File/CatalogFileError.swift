internal import SQLiteFiles

/// The reason why a catalog file cannot be read or written. The message is for the operator: it names the file and a
/// remedy.
package struct CatalogFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The file does not exist, or its permissions deny reading.
        case notReadable
        case notWritable
        /// The file exists, and must not be replaced.
        case exists
        /// Another program is writing a file of that name.
        case inUse
        case notACatalog
        /// The file has a newer format.
        case newer
        /// The program that wrote the file stopped before the end.
        case unfinished
        /// The file is a damaged catalog.
        case damaged
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
    init(reading path: String, _ error: any Error) {
        switch error {
        case let error as CatalogFileError:
            self = error
        case let error as DatabaseError:
            self.init(reading: path, error)
        default:
            self.init(code: .damaged, message: "the catalog \(path) has an unreadable record: \(error)")
        }
    }

    private init(reading path: String, _ error: DatabaseError) {
        switch error.failure {
        case .notADatabase:
            self.init(code: .notACatalog, message: "\(path) is not a catalog file (\(error.reason))")
        case .damaged, .schema, .tooLarge:
            self.init(code: .damaged, message: "the catalog \(path) is damaged (\(error.reason)): create it again")
        default:
            self.init(code: .notReadable, message: "the catalog \(path) cannot be read: \(error.reason)")
        }
    }

    init(writing path: String, _ error: any Error) {
        switch error {
        case let error as CatalogFileError:
            self = error
        case let error as DatabaseError:
            self.init(writing: path, error)
        default:
            self.init(code: .failed, message: "cannot create the catalog \(path): \(error)")
        }
    }

    private init(writing path: String, _ error: DatabaseError) {
        switch error.failure {
        case .notADatabase, .damaged, .schema, .tooLarge:
            self.init(code: .damaged, message: "\(path) is damaged (\(error.reason)): remove it and start again")
        case .diskFull, .diskFailing, .syncFailed, .readOnly, .notOpened:
            self.init(code: .notWritable, message: "the catalog \(path) cannot be written: \(error.reason)")
        case .busy:
            self.init(code: .inUse, message: "another program has \(path) open")
        default:
            self.init(code: .failed, message: "cannot create the catalog \(path): \(error.reason)")
        }
    }
}
