internal import Events
internal import FavoritesEngine
package import MarvelDomain
internal import SQLiteFiles
internal import ServerMetrics
internal import Synchronization

/// The writer: requests arrive in the inbox, and are taken in groups that share a transaction.
extension SQLiteFavoritesStore {
    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        let caller = WaitingCaller(arrival: instant(), deadline: deadline)
        add(FavoritesRequest(.toggle(toggle, character), key: toggle.request, caller) { answer($0.flatMap(\.toggle)) })
        return { [cancellation = caller.cancellation] in cancellation.set() }
    }

    package func delete(
        _ list: ListName,
        request: RequestKey?,
        deadline: ContinuousClock.Instant?
    ) async throws(StoreError) -> ListDeletion {
        try await answer(to: .deletion(list), key: request, deadline: deadline).deletion.get()
    }

    /// Makes a request, and waits for its answer.
    func answer(
        to kind: FavoritesRequest.Kind,
        key: RequestKey? = nil,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(StoreError) -> FavoritesRequest.Answer {
        let caller = WaitingCaller(arrival: instant(), deadline: deadline)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(FavoritesRequest(kind, key: key, caller) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            caller.cancellation.set()
        }
        return try result.get()
    }

    private func add(_ request: FavoritesRequest) {
        switch inbox.withLock({ $0.added(request) }) {
        case .wakeWriter: writerThread.wake()
        case .wait: break
        case .refuse: request.answer(.failure(.overloaded))
        }
    }

    /// Runs work on the writer's queue, between groups.
    func onWriter<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            database.writer.async { [self] db in
                continuation.resume(returning: Result { () throws(StoreError) in try work(db) })
                checkpointIfDue(in: db)
            }
        }
        return try result.get()
    }

    /// Commits groups until no request waits. It runs on the writer's thread.
    ///
    /// It leaves the queue after each group, so that the queue's other users get a turn under load.
    func commitGroups() {
        repeat {
            database.writer.sync { db in
                commitGroup(in: db)
                checkpointIfDue(in: db)
            }
        } while inbox.withLock({ $0.groupFinished() }) == .takeAnother
    }

    /// Carries out the requests that wait. It must run on the writer's queue.
    ///
    /// - Returns: Whether any waited.
    @discardableResult
    func commitGroup(in db: Database) -> Bool {
        let requests = inbox.withLock { $0.takeGroup() }
        guard !requests.isEmpty else { return false }
        engine.withLock { $0.begin(requests, at: instant()) }
        var step = nextStep()
        while true {
            do throws(StoreError) {
                switch step {
                case .rest: return true
                case .read(let wanted):
                    let reading = try read(wanted)
                    engine.withLock { $0.read(reading) }
                case .commit(let group):
                    let outcome = try commit(group, in: db)
                    engine.withLock { $0.committed(outcome) }
                }
            } catch {
                engine.withLock { $0.failed(.refused(error), at: instant()) }
            }
            step = nextStep()
        }
    }

    /// Tells what came of the last step.
    private func nextStep() -> FavoritesEngine.Step {
        let time = now()
        let (effects, step) = engine.withLock { engine in
            let step = engine.next(at: time)
            return (engine.takeEffects(), step)
        }
        for event in effects.events { feed.send(event) }
        effects.answer()
        return step
    }

    // MARK: Steps

    private func read(_ wanted: WantedLists) throws(StoreError) -> ListReading {
        let state = state.withLock { $0 }
        var reading = ListReading(in: state.history.id)
        do {
            for (name, _) in wanted.lists {
                do {
                    guard !state.damagedLists.contains(name) else { throw DamagedList(list: name, problem: .known) }
                    reading.lists.append((name, .success(try tables.lists.list(name, base: state.history.base))))
                } catch let damage as DamagedList {
                    reading.lists.append((name, .failure(readError(damage, in: "a change"))))
                }
            }
            for owner in wanted.owners {
                reading.ownedCounts[owner] = try tables.lists.count(ownedBy: owner, atMost: limits.maximumListsPerOwner)
            }
        } catch {
            throw .notWritable(fault(error, in: "a change").text)
        }
        return reading
    }

    private func commit(_ group: ChangeGroup, in db: Database) throws(StoreError) -> GroupOutcome {
        if let refusal { throw refusal }
        var refused: [ListName: StoreError] = [:]
        while true {
            do {
                var commit = GroupCommit(of: state.withLock { $0 }, in: tables, limits, at: now(), instant())
                let outcome = try transaction(in: db) {
                    try commit.run(group, refusing: refused) { damage in
                        .notWritable(fault(damage, in: "a change").text)
                    }
                }
                publish(commit, outcome)
                return outcome
            } catch let damage as DamagedList where refused[damage.list] == nil {
                refused[damage.list] = readError(damage, in: "a change")
            } catch {
                throw writeError(error)
            }
        }
    }

    /// Runs work in a transaction, and returns its value once that is on disk. It must run on the writer's queue.
    func transaction<Value>(in db: Database, _ body: () throws -> Value) throws -> Value {
        try files?.verify()
        let start = instant()
        let value = try db.committed(body)
        commitTimes.add(nanoseconds: Int64(clamping: (instant() - start).attoseconds / 1_000_000_000))
        try files?.verify(isCommitted: true)
        return value
    }

    /// Reports the error of a transaction to the operator.
    ///
    /// - Returns: The error for the callers.
    func writeError(_ error: any Error) -> StoreError {
        let fault = fault(error, in: "a commit")
        return fault.isOutcomeUnknown ? .outcomeUnknown(fault.text) : .notWritable(fault.text)
    }

    /// Notes a committed group, before its callers are answered.
    private func publish(_ commit: GroupCommit, _ outcome: GroupOutcome) {
        let state = state.withLock { state in
            state.committed(commit, outcome)
            return state
        }
        guard let last = commit.last else { return }
        witness?.write(StoreWitness.Progress(state, last: last.list, last.state))
    }
}
