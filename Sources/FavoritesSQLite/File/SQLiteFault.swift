internal import MarvelDomain
internal import SQLiteFiles

/// The meaning of an SQLite error for the caller. The text goes to clients, so it contains no path and no SQL.
struct SQLiteFault {
    let text: String
    let endsWriting: Bool
    /// Whether the change may still have been made.
    let isOutcomeUnknown: Bool

    init(_ error: any Error) {
        if let error = error as? StoreFileReplaced {
            let text = "the store's file was moved, replaced or deleted"
            self.init(text, endsWriting: true, isOutcomeUnknown: error.isCommitted)
            return
        }
        guard let error = error as? DatabaseError else {
            self.init("a record of the store cannot be read")
            return
        }
        self.init(
            error.failure.text(about: "the store"),
            endsWriting: error.failure.endsWriting,
            isOutcomeUnknown: error.isOfCommit && ![.diskFull, .readOnly, .busy].contains(error.failure)
        )
    }

    private init(_ text: String, endsWriting: Bool = false, isOutcomeUnknown: Bool = false) {
        self.text = text
        self.endsWriting = endsWriting
        self.isOutcomeUnknown = isOutcomeUnknown
    }
}

/// The reason that a store could not be opened, for the operator. The message may name files, and names the remedy.
package struct FavoritesStoreOpenError: Error, Sendable, Hashable, CustomStringConvertible {
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { message }
}

extension FavoritesStoreOpenError {
    init(opening path: String, _ error: any Error) {
        switch error {
        case let error as FavoritesStoreOpenError:
            self = error
        case let error as DatabaseError:
            self.init(opening: path, error)
        case let error as StoreFileReplaced:
            self.init("the store \(path) cannot be opened: \(error)")
        default:
            let reason = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
            self.init("the store \(path) has an unreadable record: \(reason)")
        }
    }

    private init(opening path: String, _ error: DatabaseError) {
        let reason = error.reason
        switch error.failure {
        case .notADatabase:
            self.init("\(path) is not a favorites store (\(reason)); it was not changed")
        case .damaged:
            self.init("the store \(path) is damaged (\(reason)): restore a copy")
        case .tooLarge:
            self.init(
                "the store \(path) has a record of more than \(Database.maximumRowBytes >> 20) MiB, which "
                    + "no server writes: restore a copy"
            )
        case .interrupted:
            let seconds = Database.readingTime(of: path).components.seconds
            self.init("reading the store \(path) was stopped after \(seconds) s")
        case .readOnly, .notOpened:
            self.init(
                "cannot write to the store \(path) or its folder: \(reason); a store needs a folder that can be written, "
                    + "also to be read"
            )
        case .diskFull: self.init("cannot write to the store \(path) or its folder: \(reason)")
        default:
            self.init("the store \(path) cannot be opened: \(reason)")
        }
    }
}
