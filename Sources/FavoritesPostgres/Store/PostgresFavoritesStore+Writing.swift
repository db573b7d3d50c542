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
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ListDeletion {
        let caller = WaitingCaller(arrival: .now, deadline: deadline)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                writer.add(
                    WaitingRequest(.deletion(list), request, nil, caller) { continuation.resume(returning: $0) }
                )
            }
        } onCancel: {
            caller.cancellation.set()
        }
        guard case .deletion(let deletion) = try result.get() else {
            throw .notWritable("another request was answered")
        }
        return deletion
    }
}

extension WaitingRequest.Answer {
    fileprivate var toggleOutcome: Result<ToggleOutcome, StoreError> {
        switch self {
        case .toggle(let outcome): .success(outcome)
        case .deletion: .failure(.notWritable("another request was answered"))
        }
    }
}
