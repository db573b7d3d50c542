internal import FavoritesEngine
package import MarvelDomain

extension PostgresFavoritesStore {
    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        writer.add(.toggle(toggle, character), toggle.request, deadline) { answer($0.flatMap(\.toggle)) }
    }

    package func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ListDeletion, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        writer.add(.deletion(list), request, deadline) { answer($0.flatMap(\.deletion)) }
    }
}
