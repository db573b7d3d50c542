package import CatalogEdits
package import MarvelDomain
internal import Synchronization

/// A store of the operator's edits in a database, which several servers share.
///
/// One edit is written at a time, by whichever server. Its revision is above those of all earlier ones when it is
/// committed, so a server that has read up to a revision misses none. That holds within one history of the store: in a
/// new one, edits may be missing that a server has read.
package final class PostgresEditStore: EditStore {
    private let reader: DatabaseReader
    private let now: @Sendable () -> Timestamp
    private struct Position: Equatable {
        var history: HistoryID
        var revision: Int64
    }

    /// The newest edit at the last call of `changeByOthers`.
    private let last = Mutex<Position?>(nil)

    init(_ reader: DatabaseReader, now: @escaping @Sendable () -> Timestamp) {
        self.reader = reader
        self.now = now
    }

    package func edits(after revision: Int64) async throws(EditError) -> [EditedCharacter] {
        try await read { connection throws(DatabaseFault) in
            var parameters = Parameters()
            parameters.add(revision)
            let rows = try connection.run(.edits, parameters)
            var edits: [EditedCharacter] = []
            for row in 0..<rows.count { edits.append(try EditedCharacter(rows, row)) }
            return edits
        }
    }

    package func picture(of id: Int64) async throws(EditError) -> Picture? {
        try await read { connection throws(DatabaseFault) in
            try DatabaseEditTables(connection: connection).storedPicture(of: id)
        }
    }

    package func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(EditError) -> EditedCharacter {
        var order = order
        // The reader does its work again if its connection was lost in the commit: the key tells that it was done.
        order.request = order.request ?? .made()
        let result: Result<EditedCharacter, EditError>
        do throws(StoreError) {
            result = try await reader.run(.write) { [order, now] connection throws(DatabaseFault) in
                try connection.write(EditTransaction(order: order, now: now(), isTaken: isTaken))
            }
        } catch {
            throw .notWritable(error.text)
        }
        return try result.get()
    }

    package func changeByOthers() async -> EditStoreChange {
        let position = try? await read { connection throws(DatabaseFault) in
            let newest = try connection.newestEdit()
            return Position(history: newest.history, revision: newest.revision)
        }
        guard let position else { return .none }
        return last.withLock { last in
            defer { last = position }
            if let last, last.history != position.history { return .replaced }
            return last == position ? .none : .written
        }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws(DatabaseFault) -> Value
    ) async throws(EditError) -> Value {
        do throws(StoreError) {
            return try await reader.run(.read, body)
        } catch {
            throw .notReadable(error.text)
        }
    }
}

extension PostgresFavoritesStore {
    /// The operator's edits in the same database. They are closed with the store.
    package var edits: PostgresEditStore { PostgresEditStore(reader, now: now) }
}

extension PostgresConnection {
    /// Writes an edit in a transaction, after those of other servers.
    fileprivate func write(_ edit: EditTransaction) throws(DatabaseFault) -> Result<EditedCharacter, EditError> {
        do {
            return .success(
                try committed {
                    try run(.lockEdits)
                    return try edit.run(in: DatabaseEditTables(connection: self))
                }
            )
        } catch let fault as DatabaseFault {
            throw fault
        } catch let error as EditError {
            return .failure(error)
        } catch {
            return .failure(.notWritable("the edit was not made"))
        }
    }
}

extension StoreError {
    /// The text for callers.
    fileprivate var text: String {
        switch self {
        case .unavailable(let text), .notWritable(let text), .notReadable(let text): text
        case .overloaded: "too many calls wait for the database"
        case .requestIDReused, .listLimitReached, .ownedListLimitReached, .deadlineExceeded, .cancelled:
            "the database was not asked"
        }
    }
}
