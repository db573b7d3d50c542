package import MarvelDomain

/// A store of a test that answers every change as if there were nothing to change.
package protocol UnchangingStore: FavoritesStore {}

extension UnchangingStore {
    package func lists(prefix: String, after: ListName?, limit: Int) async throws(StoreError) -> [ListSummary] { [] }

    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        answer(.success(.characterNeeded))
        return {}
    }

    package func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ListDeletion, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        answer(.success(ListDeletion(revision: 0, existed: false)))
        return {}
    }
}
