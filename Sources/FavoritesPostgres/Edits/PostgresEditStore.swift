package import MarvelDomain
internal import Synchronization

/// The operator's edits in the database of a store, which several servers share.
///
/// One edit is written at a time, by whichever server. Its revision is above those of all earlier ones when it is
/// committed, so a server that has read up to a revision misses none. That holds within one history of the store: in a
/// new one, edits may be missing that a server has read.
///
/// It has two locks, which are never held together.
package final class PostgresEditStore: EditStore {
    private let reader: DatabaseWorker
    private let background: DatabaseWorker
    private let status: StoreStatus
    private let now: @Sendable () -> Timestamp
    private struct Position: Equatable {
        var history: HistoryID
        var revision: Int64
    }

    /// The newest edit at the last call of `changeByOthers`.
    private let last = Mutex<Position?>(nil)
    /// The deletion of old answers. Only the thread of `background` uses it.
    private let pruner: Mutex<AnswerPruner>

    fileprivate init(_ store: PostgresFavoritesStore) {
        (reader, background, status, now) = (store.reader, store.background, store.status, store.now)
        pruner = Mutex(AnswerPruner(maximumAnswers: store.writer.settings.answers))
    }

    package func edits(after revision: Int64) async throws(StoreError) -> [EditedCharacter] {
        try await read(on: background) { [status] connection throws(DatabaseFault) in
            let rows = try connection.run(.edits, revision)
            var edits: [EditedCharacter] = []
            for row in 0..<rows.count {
                switch try EditedCharacter.read(rows, row) {
                case .success(let edit): edits.append(edit)
                case .failure(let damage): status.report(damage)
                }
            }
            return edits
        }
    }

    package func picture(of id: Int64) async throws(StoreError) -> Picture? {
        let picture = try await read(on: reader) { connection throws(DatabaseFault) in
            try connection.editPicture(of: id)
        }
        do throws(DamagedEdit) {
            return try picture.get()
        } catch {
            status.report(error)
            throw .damaged(error)
        }
    }

    package func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(StoreError) -> EditedCharacter {
        var order = order
        // The work is done again if its connection was lost in the commit: the key tells that it was done.
        order.request = order.request ?? .made()
        return try await background.run(isChange: true) { [order, self] connection throws(DatabaseFault) in
            let now = now()
            let edit = EditTransaction(order: order, now: now, isTaken: isTaken)
            let result = try connection.write(edit, at: now, status)
            pruner.withLock { pruner in
                do throws(DatabaseFault) {
                    try pruner.prune(after: 1, connection)
                } catch {
                    // The edit is made. The next one prunes again.
                    status.report("the deletion of old answers", error)
                }
            }
            return result
        }.get()
    }

    package func changeByOthers() async -> EditStoreChange {
        let position = try? await read(on: background) { connection throws(DatabaseFault) in
            let newest = try connection.newestEdit()
            return Position(history: newest.history, revision: newest.revision)
        }
        guard let position else { return .none }
        return last.withLock { last in
            defer { last = position }
            // The database may have been put back to an older state.
            if let last, last.history != position.history || last.revision > position.revision { return .replaced }
            return last == position ? .none : .written
        }
    }

    private func read<Value: Sendable>(
        on worker: DatabaseWorker,
        _ body: @escaping @Sendable (PostgresConnection) throws(DatabaseFault) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) {
            return try await worker.run(body)
        } catch .unavailable(let text) {
            throw .notReadable(text)
        } catch .overloaded {
            throw .notReadable("too many calls are waiting for the store")
        }
    }
}

extension PostgresFavoritesStore {
    /// The operator's edits in the same database. They are closed with the store.
    package var edits: PostgresEditStore { PostgresEditStore(self) }
}

extension PostgresConnection {
    /// Writes an edit in a transaction, after those of other servers.
    fileprivate func write(
        _ edit: EditTransaction,
        at now: Timestamp,
        _ status: StoreStatus
    ) throws(DatabaseFault) -> Result<EditedCharacter, StoreError> {
        do {
            return .success(
                try committed {
                    try run("SELECT pg_advisory_xact_lock(\(Functions.editLock))::text")
                    var tables = DatabaseEditTables(connection: self, now: now)
                    return try edit.run(in: &tables)
                }
            )
        } catch let fault as DatabaseFault {
            throw fault
        } catch let error as StoreError {
            return .failure(error)
        } catch let damage as DamagedEdit {
            status.report(damage)
            return .failure(.damaged(damage))
        } catch {
            return .failure(.notWritable("the edit was not made"))
        }
    }
}
