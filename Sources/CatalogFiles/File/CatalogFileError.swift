internal import SQLiteFiles

/// A text for the operator: it names the file and a remedy.
package struct CatalogFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether the same file may be readable later, as when the process had no free descriptor.
    let isTransient: Bool

    init(_ description: String, isTransient: Bool = false) {
        (self.description, self.isTransient) = (description, isTransient)
    }

    static func exists(_ path: String) -> CatalogFileError {
        CatalogFileError("\(path) already exists and was not replaced: use --overwrite")
    }
}

extension CatalogFileError {
    init(reading path: String, _ error: any Error) {
        switch error {
        case let error as CatalogFileError: self = error
        case let error as DatabaseError: self = CatalogFileError.reading(path, error)
        default: self.init("the catalog \(path) has an unreadable record: \(error)")
        }
    }

    private static func reading(_ path: String, _ error: DatabaseError) -> CatalogFileError {
        switch error.failure {
        case .notADatabase: Self("\(path) is not a catalog file (\(error.reason))")
        case .damaged, .schema, .tooLarge: Self("the catalog \(path) is damaged (\(error.reason)): create it again")
        default: Self("the catalog \(path) cannot be read: \(error.reason)", isTransient: true)
        }
    }

    init(writing path: String, _ error: any Error) {
        switch error {
        case let error as CatalogFileError: self = error
        case PartialFile.Failure.targetExists: self = .exists(path)
        case PartialFile.Failure.system(let reason): self.init("cannot write \(path): \(reason)")
        case let error as DatabaseError: self.init(CatalogFileError.writing(path, error))
        default: self.init("cannot create the catalog \(path): \(error)")
        }
    }

    private static func writing(_ path: String, _ error: DatabaseError) -> String {
        switch error.failure {
        case .notADatabase, .damaged, .schema, .tooLarge:
            "\(path) is damaged (\(error.reason)): remove it and start again"
        case .diskFull, .diskFailing, .syncFailed, .readOnly, .notOpened:
            "the catalog \(path) cannot be written: \(error.reason)"
        case .busy: "another program has \(path) open"
        default: "cannot create the catalog \(path): \(error.reason)"
        }
    }
}
