package import MarvelDomain

extension PostgresFavoritesStore {
    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        let caller = WaitingCaller(arrival: .now, deadline: deadline)
        writer.add(
            WaitingRequest(.toggle(toggle), nil, character, caller) { result in
                answer(result.flatMap { $0.toggleOutcome })
            }
        )
        return { [cancellation = caller.cancellation] in cancellation.set() }
    }

    package func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ListDeletion, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        let caller = WaitingCaller(arrival: .now, deadline: deadline)
        writer.add(
            WaitingRequest(.deletion(list), request, nil, caller) { result in
                answer(result.flatMap { $0.listDeletion })
            }
        )
        return { [cancellation = caller.cancellation] in cancellation.set() }
    }
}

extension WaitingRequest.Answer {
    fileprivate var toggleOutcome: Result<ToggleOutcome, StoreError> {
        if case .toggle(let outcome) = self { .success(outcome) } else { .failure(.anotherAnswer) }
    }

    fileprivate var listDeletion: Result<ListDeletion, StoreError> {
        if case .deletion(let deletion) = self { .success(deletion) } else { .failure(.anotherAnswer) }
    }
}

extension StoreError {
    fileprivate static let anotherAnswer = StoreError.outcomeUnknown("another request was answered")
}
