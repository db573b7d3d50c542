package import MarvelDomain
internal import Synchronization

/// A change that a caller asked for, from its arrival until it is answered. It is an object because it is passed on several
/// times, and a copy of its values costs as much as a small statement.
package final class FavoritesRequest: Sendable {
    package enum Kind: Sendable {
        /// The character is the snapshot to save; nil if the caller has none.
        case toggle(Toggle, MarvelCharacter?)
        case deletion(ListName)
        /// Makes a list hold exactly these favorites, oldest first: it is deleted if it exists, and filled again.
        case replacement(ListName, [Favorite], ListOwner)
    }

    package enum Answer: Sendable {
        case toggle(ToggleOutcome)
        case deletion(ListDeletion)
        case replaced
    }

    /// The function that gets the answer. It is called once, and must return quickly, because other requests wait for it.
    package enum Reply: Sendable {
        case toggle(@Sendable (Result<ToggleOutcome, StoreError>) -> Void)
        case deletion(@Sendable (Result<ListDeletion, StoreError>) -> Void)
        case any(@Sendable (Result<Answer, StoreError>) -> Void)

        package func answer(_ answer: Result<Answer, StoreError>) {
            switch self {
            case .toggle(let reply): reply(answer.toggle)
            case .deletion(let reply): reply(answer.deletion)
            case .any(let reply): reply(answer)
            }
        }
    }

    package let kind: Kind
    package let list: ListName
    /// The key under which a repeat gets the same answer; nil for a request that cannot be repeated.
    package let key: RequestKey?
    let arrival: ContinuousClock.Instant
    private let deadline: ContinuousClock.Instant?
    let reply: Reply
    private let isCancelled = Atomic(false)

    /// - Parameters:
    ///   - kind: The change.
    ///   - key: The key under which a repeat gets the same answer; nil for a request that cannot be repeated.
    ///   - arrival: The time of the call.
    ///   - deadline: The caller's deadline; nil for none.
    ///   - reply: The function that gets the answer.
    package init(
        _ kind: Kind,
        key: RequestKey?,
        arrival: ContinuousClock.Instant,
        deadline: ContinuousClock.Instant? = nil,
        reply: Reply
    ) {
        self.kind = kind
        list =
            switch kind {
            case .toggle(let toggle, _): toggle.list
            case .deletion(let list), .replacement(let list, _, _): list
            }
        self.key = key
        self.arrival = arrival
        self.deadline = deadline
        self.reply = reply
    }

    /// Keeps the request from being begun. Any thread may call it.
    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Returns the reason not to begin the request; nil if it should be done.
    func refusal(at now: ContinuousClock.Instant, arrivedAfter earliest: ContinuousClock.Instant) -> StoreError? {
        if isCancelled.load(ordering: .relaxed) { return .cancelled }
        if let deadline, deadline <= now { return .deadlineExceeded }
        return arrival < earliest ? .overloaded : nil
    }

    /// Returns the answer that was kept for an earlier request with the same key.
    func answer(kept: AnsweredRequest) -> Result<Answer, StoreError> {
        switch kind {
        case .toggle(let toggle, _): kept.answer(to: toggle).map { .toggle(.done($0)) }
        case .deletion(let list): kept.answer(toDeletionOf: list).map(Answer.deletion)
        case .replacement: .failure(.requestIDReused)
        }
    }
}

extension Result<FavoritesRequest.Answer, StoreError> {
    /// The answer to a toggle.
    fileprivate var toggle: Result<ToggleOutcome, StoreError> {
        flatMap { if case .toggle(let outcome) = $0 { .success(outcome) } else { .failure(.answerMixedUp) } }
    }

    /// The answer to a deletion.
    fileprivate var deletion: Result<ListDeletion, StoreError> {
        flatMap { if case .deletion(let deletion) = $0 { .success(deletion) } else { .failure(.answerMixedUp) } }
    }
}

extension StoreError {
    fileprivate static var answerMixedUp: StoreError { .outcomeUnknown("another request was answered") }
}
