package import MarvelDomain

extension PostgresFavoritesStore {
    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ToggleOutcome {
        let answer = try await write(.toggle(toggle), nil, character, deadline: deadline)
        guard case .toggle(let outcome) = answer else { throw .notWritable("another request was answered") }
        return outcome
    }

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
        let answer = try await write(.deletion(list), request, nil, deadline: deadline)
        guard case .deletion(let deletion) = answer else { throw .notWritable("another request was answered") }
        return deletion
    }

    private func write(
        _ kind: GroupedRequest.Kind,
        _ key: RequestKey?,
        _ character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> WaitingRequest.Answer {
        let caller = WaitingCaller(arrival: .now, deadline: deadline)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                writer.add(WaitingRequest(kind, key, character, caller) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            caller.cancellation.set()
        }
        return try result.get()
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
