package import CatalogEdits
internal import GRDB
package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// A store of edits in one SQLite file, to which other programs may write too. It is separate from every catalog, so
/// that no import changes it.
package final class SQLiteEditStore: EditStore {
    private let file: EditsFile
    private let database: DatabaseQueue
    private let now: @Sendable () -> Timestamp
    private let onReport: @Sendable (EditsReport) -> Void
    /// The last known `data_version`, which changes when another connection has committed.
    private let dataVersion = Mutex<Int64?>(nil)
    /// The reason why edits are refused until the file is opened again; nil while they are accepted.
    private let refusal = Mutex<String?>(nil)
    /// A server reads every second, so a file that cannot be read would be reported as often.
    private let outcomes = Mutex<[ReadSubject: RepeatedOutcome]>([:])

    private enum ReadSubject: String {
        case version = "the version of the edits"
        case edits = "the edits"
        case pictures = "the pictures of edits"
    }

    /// Opens the file, or creates it with mode 0600. It blocks the thread, so call it before serving.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist.
    ///   - now: The wall clock.
    ///   - onReport: Called with a report for the operator's log, with the details that callers do not get.
    /// - Throws: The reason why the file could not be opened, for the operator.
    package init(
        path: String,
        now: @escaping @Sendable () -> Timestamp,
        onReport: @escaping @Sendable (EditsReport) -> Void = { _ in }
    ) throws(EditsOpenError) {
        (file, database) = try EditsFile.open(path)
        self.now = now
        self.onReport = onReport
    }

    package func edits(after revision: Int64) async throws(EditError) -> [EditedCharacter] {
        try await read(.edits) { db in try EditsFileTables(db: db).edits(after: revision) }
    }

    package func picture(of id: Int64) async throws(EditError) -> Picture? {
        try await read(.pictures) { db in try EditsFileTables(db: db).picture(of: id) }
    }

    package func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(EditError) -> EditedCharacter {
        let transaction = { @Sendable [now] in EditTransaction(order: order, now: now(), isTaken: isTaken) }
        return try await run { [self] db in
            if let reason = refusal.withLock({ $0 }) { return .failure(.notWritable(reason)) }
            do {
                try file.verify()
                var edited: EditedCharacter?
                try db.inTransaction(.immediate) {
                    edited = try transaction().run(in: EditsFileTables(db: db))
                    return .commit
                }
                try file.verify()
                guard let edited else { return .failure(.notWritable("the edit was not made")) }
                return .success(edited)
            } catch {
                return .failure(failure(of: error))
            }
        }
    }

    package func changeByOthers() async -> EditStoreChange {
        let version = try? await read(.version) { db in try Int64.fetchOne(db, sql: "PRAGMA data_version") }
        guard let version else { return .none }
        return dataVersion.withLock { last in
            defer { last = version }
            return last == version ? .none : .written
        }
    }

    /// Closes the file.
    package func close() {
        do {
            try database.close()
        } catch {
            onReport(.problem("closing the edits failed: \(error)"))
        }
    }
}

extension SQLiteEditStore {
    /// Runs work on the database. GRDB's `async` functions are not used, because they roll back when the caller's task
    /// is cancelled, so that an answer may be lost.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (Database) -> Result<Value, EditError>
    ) async throws(EditError) -> Value {
        let result = await withCheckedContinuation { continuation in
            database.asyncWriteWithoutTransaction { db in continuation.resume(returning: body(db)) }
        }
        return try result.get()
    }

    private func read<Value: Sendable>(
        _ subject: ReadSubject,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EditError) -> Value {
        try await run { [self] db in
            do {
                let value = try body(db)
                noteOutcome(of: subject, failure: nil)
                return .success(value)
            } catch {
                noteOutcome(of: subject, failure: "\(error)")
                return .failure(.notReadable("the edits cannot be read"))
            }
        }
    }

    private func noteOutcome(of subject: ReadSubject, failure: String?) {
        switch outcomes.withLock({ $0[subject, default: RepeatedOutcome()].tried(failure: failure) }) {
        case .failed(let reason): onReport(.problem("reading \(subject.rawValue) failed: \(reason)"))
        case .recovered: onReport(.recovered("\(subject.rawValue) can be read again"))
        case nil: break
        }
    }

    /// Converts an error for the caller. The text is sent to clients, so it contains no path and no SQL.
    private func failure(of error: any Error) -> EditError {
        if let error = error as? EditError { return error }
        onReport(.problem("writing an edit failed: \(error)"))
        if error is EditsFileReplaced { return end("the file of edits was moved, replaced or deleted") }
        guard let error = error as? DatabaseError else { return .notWritable("the edits failed") }
        let reason = error.failure.text(about: "the file of edits")
        return error.failure.endsWriting ? end(reason) : .notWritable(reason)
    }

    private func end(_ reason: String) -> EditError {
        refusal.withLock { $0 = reason }
        return .notWritable(reason)
    }
}
