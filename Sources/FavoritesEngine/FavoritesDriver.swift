package import MarvelDomain
internal import Synchronization

/// The inbox of a store, and the loop that carries out the steps of its engine on a back end.
///
/// Any thread adds requests. One thread at a time takes turns. The engine's lock is taken before that of the inbox.
package final class FavoritesDriver: Sendable {
    private let inbox: Mutex<RequestInbox>
    private let now: @Sendable () -> Timestamp
    private let instant: @Sendable () -> ContinuousClock.Instant

    /// `now` and `instant` are the wall clock and the monotonic clock.
    package init(
        limits: InboxLimits = InboxLimits(),
        now: @escaping @Sendable () -> Timestamp,
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        inbox = Mutex(RequestInbox(limits: limits))
        self.now = now
        self.instant = instant
    }

    // MARK: Requests

    /// Adds a request, which waits for its turn.
    ///
    /// - Parameters:
    ///   - kind: The change.
    ///   - key: The key under which a repeat gets the same answer; nil for a request that cannot be repeated.
    ///   - deadline: The caller's deadline; nil for none.
    ///   - wake: Called if no thread takes turns now.
    ///   - reply: The function that gets the answer, perhaps before this returns.
    /// - Returns: A function that cancels the request.
    package func add(
        _ kind: FavoritesRequest.Kind,
        key: RequestKey?,
        _ deadline: ContinuousClock.Instant?,
        waking wake: () -> Void,
        reply: FavoritesRequest.Reply
    ) -> @Sendable () -> Void {
        let request = FavoritesRequest(kind, key: key, arrival: instant(), deadline: deadline, reply: reply)
        switch inbox.withLock({ $0.added(request) }) {
        case .wakeWriter: wake()
        case .wait: break
        case .refuse(let error): reply.answer(.failure(error))
        }
        return { request.cancel() }
    }

    package var waitingCount: Int { inbox.withLock(\.waitingCount) }

    /// Refuses further requests. Those that wait are carried out. The first error is kept.
    package func close(with error: StoreError) { inbox.withLock { $0.close(with: error) } }

    /// Refuses the waiting requests that arrived before `latest`; all if it is nil.
    package func refuseWaiting(before latest: ContinuousClock.Instant?, with error: StoreError) {
        let refused = inbox.withLock { inbox in
            inbox.takeExpired { request in latest.map { request.arrival < $0 } ?? true }
        }
        for request in refused { request.reply.answer(.failure(error)) }
    }

    // MARK: Turns

    /// Returns whether to take another turn. If not, the next request wakes the writer.
    package func hasWork(on backend: some FavoritesBackend) -> Bool {
        var isBegun = false
        backend.step { isBegun = $0.hasWork }
        return isBegun || inbox.withLock { $0.groupFinished() }
    }

    /// Carries out one step. Those who get its answers are woken together.
    ///
    /// - Returns: Whether it was carried out; false if it failed, or there was nothing to do.
    @discardableResult
    package func turn(on backend: some FavoritesBackend) -> Bool {
        JointWakes.collect {
            // Those who are answered without the back end do not wait for it.
            let step = JointWakes.collect { next(on: backend) }
            return finish(carryOut(step, on: backend), on: backend)
        }
    }

    /// The result of a step on a back end, which the engine has not taken yet.
    package enum StepResult<Backend: FavoritesBackend> {
        case idle
        case read(Backend.Reading)
        case committed(Backend.Outcome, ChangeGroup)
        case failed(FavoritesEngine.Failure)
    }

    /// The first part of a turn: begins requests, and decides on the step.
    package func next(on backend: some FavoritesBackend) -> FavoritesEngine.Step {
        let time = now()
        var step = FavoritesEngine.Step.idle
        backend.step { engine in
            if engine.takesRequests {
                let requests = inbox.withLock { $0.takeGroup(besides: engine.begunCount) }
                engine.begin(requests, at: instant())
            }
            step = engine.next(at: time)
        }
        return step
    }

    /// The second part of a turn: the work of the back end.
    package func carryOut<Backend: FavoritesBackend>(
        _ step: FavoritesEngine.Step,
        on backend: Backend
    ) -> StepResult<Backend> {
        do throws(FavoritesEngine.Failure) {
            switch step {
            case .idle: return .idle
            case .read(let wanted): return .read(try backend.read(wanted))
            case .commit(let group): return .committed(try backend.commit(group), group)
            }
        } catch {
            return .failed(error)
        }
    }

    /// The last part of a turn: the engine takes the result.
    ///
    /// - Returns: Whether a step was carried out.
    package func finish<Backend: FavoritesBackend>(_ result: StepResult<Backend>, on backend: Backend) -> Bool {
        switch result {
        case .idle: return false
        case .read(let reading): backend.take(reading)
        case .committed(let outcome, let group): backend.take(outcome, of: group)
        case .failed(let failure):
            backend.step { $0.failed(failure, at: instant()) }
            return false
        }
        return true
    }
}

/// A store whose changes a `FavoritesDriver` carries out.
package protocol DrivenStore: FavoritesStore {
    /// Adds a request, and returns a function that cancels it.
    func add(
        _ kind: FavoritesRequest.Kind,
        key: RequestKey?,
        _ deadline: ContinuousClock.Instant?,
        reply: FavoritesRequest.Reply
    ) -> @Sendable () -> Void
}

extension DrivenStore {
    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        add(.toggle(toggle, character), key: toggle.request, deadline, reply: .toggle(answer))
    }

    package func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ListDeletion, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        add(.deletion(list), key: request, deadline, reply: .deletion(answer))
    }

    /// Replaces the contents of a list with these favorites, oldest first.
    package func replace(_ list: ListName, _ favorites: [Favorite], of owner: ListOwner) async throws(StoreError) {
        let result = await withCheckedContinuation { continuation in
            let reply = FavoritesRequest.Reply.any { continuation.resume(returning: $0) }
            _ = add(.replacement(list, favorites, owner), key: nil, nil, reply: reply)
        }
        _ = try result.get()
    }

    /// Replaces a list by a line of an import, unless it is so already.
    ///
    /// - Parameters:
    ///   - line: The line. If it has no owner, the list keeps its own.
    ///   - favorites: The stored favorites of the list; nil if it does not exist.
    ///   - owner: The stored owner of the list.
    /// - Returns: Whether it was replaced.
    /// - Throws: The error of the store.
    package func replace(
        _ line: ListLine,
        over favorites: [Favorite]?,
        of owner: ListOwner
    ) async throws(StoreError) -> Bool {
        let next = line.owner ?? owner
        guard favorites != line.favorites || owner != next else { return false }
        try await replace(line.name, line.favorites, of: next)
        return true
    }
}
