package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// The names of lists, and the deletion of whole lists.
extension SQLiteFavoritesStore {
    package func lists(
        prefix: String,
        after: ListName?,
        limit: Int
    ) async throws(StoreError) -> [ListSummary] {
        let (lists, damaged) = try await read { db in
            try ListsTable.summaries(prefix: prefix, after: after, limit: limit, in: db)
        }
        for damage in damaged { note(damage) }
        return lists
    }

    package func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ListDeletion {
        guard waitingChanges.add(1, ordering: .relaxed).newValue <= limits.inbox.maximumCount else {
            waitingChanges.subtract(1, ordering: .relaxed)
            throw .overloaded
        }
        let caller = WaitingCaller(arrival: instant(), deadline: deadline)
        let result: Result<ListDeletion, StoreError> = await withTaskCancellationHandler {
            do throws(StoreError) {
                let deletion = try await onWriter { [self] db throws(StoreError) in
                    waitingChanges.subtract(1, ordering: .relaxed)
                    if let refusal = caller.refusal(at: instant(), maximumWait: limits.inbox.maximumWait) {
                        throw refusal
                    }
                    return try commit(in: db) { group throws in try group.delete(list, request) }.get()
                }
                return .success(deletion)
            } catch {
                return .failure(error)
            }
        } onCancel: {
            caller.cancellation.set()
        }
        return try result.get()
    }
}
