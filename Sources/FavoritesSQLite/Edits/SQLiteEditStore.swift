internal import FavoritesEngine
package import MarvelDomain
internal import Synchronization

/// The operator's edits in the file of a store. The store writes them, and closes the file.
package struct SQLiteEditStore: EditStore {
    fileprivate let store: SQLiteFavoritesStore

    package func edits(after revision: Int64) async throws(StoreError) -> [EditedCharacter] {
        let (edits, damaged) = try await store.read { db in try EditsTable.all(in: db) }
        for damage in damaged { store.note(damage) }
        return edits.filter { $0.revision > revision }
    }

    package func picture(of id: Int64) async throws(StoreError) -> Picture? {
        try await store.read { db in try EditsTable.picture(of: id, in: db) }
    }

    package func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(StoreError) -> EditedCharacter {
        try await store.write(order, isTaken: isTaken)
    }

    /// No other server has the store open.
    package func changeByOthers() async -> EditStoreChange { .none }
}

extension SQLiteFavoritesStore {
    package var edits: SQLiteEditStore { SQLiteEditStore(store: self) }

    fileprivate func write(
        _ order: EditOrder,
        isTaken: @escaping @Sendable (Int64) -> Bool
    ) async throws(StoreError) -> EditedCharacter {
        guard waitingEdits.add(1, ordering: .relaxed).newValue <= limits.inbox.maximumCount else {
            waitingEdits.subtract(1, ordering: .relaxed)
            throw .overloaded
        }
        return try await onWriter { [self] db throws(StoreError) in
            waitingEdits.subtract(1, ordering: .relaxed)
            if let refusal { throw refusal }
            let time = now()
            let before = state.withLock(\.writer)
            var edited = EditedTables(tables: tables, now: time, instant: instant(), state: before)
            let character: EditedCharacter
            do {
                character = try transaction(in: db) {
                    try EditTransaction(order: order, now: time, isTaken: isTaken).run(in: &edited)
                }
            } catch let error as StoreError {
                throw error
            } catch let damage as DamagedEdit {
                throw readError(damage, in: "an edit")
            } catch {
                throw writeError(error)
            }
            state.withLock { $0.writer = edited.state }
            let changeCount = edited.state.changeCount
            if changeCount != before.changeCount { witness?.write(changeCount: changeCount) }
            return character
        }
    }

    func note(_ damage: DamagedEdit) {
        guard state.withLock({ $0.damagedEdits.insert(damage).inserted }) else { return }
        onError("\(damage); it is refused")
    }
}
