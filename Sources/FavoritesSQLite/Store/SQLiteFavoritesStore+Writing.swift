internal import Events
package import MarvelDomain
internal import SQLiteFiles
internal import ServerMetrics
internal import Synchronization

/// The writer: toggles arrive in the inbox, and are taken in groups that share a transaction.
extension SQLiteFavoritesStore {
    package func toggle(
        _ toggle: Toggle,
        character: MarvelCharacter?,
        deadline: ContinuousClock.Instant?,
        answer: @escaping @Sendable (Result<ToggleOutcome, StoreError>) -> Void
    ) -> @Sendable () -> Void {
        let caller = WaitingCaller(arrival: instant(), deadline: deadline)
        add(WaitingToggle(toggle, character, caller, answer))
        return { [cancellation = caller.cancellation] in cancellation.set() }
    }

    private func add(_ waiting: WaitingToggle) {
        switch inbox.withLock({ $0.added(waiting) }) {
        case .wakeWriter: writerThread.wake()
        case .wait: break
        case .refuse: waiting.answer(.failure(.overloaded))
        }
    }

    /// Runs work on the writer's queue, between groups of toggles.
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

    /// Commits groups until no toggle waits. It runs on the writer's thread.
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

    /// Commits a group of waiting toggles. It must run on the writer's queue.
    ///
    /// - Returns: Whether any toggle waited.
    @discardableResult
    func commitGroup(in db: Database) -> Bool {
        let group = inbox.withLock { $0.takeGroup() }
        guard !group.isEmpty else { return false }
        let now = instant()
        var begun: [WaitingToggle] = []
        for waiting in group {
            if let refusal = waiting.caller.refusal(at: now, maximumWait: limits.inbox.maximumWait) {
                waiting.answer(.failure(refusal))
            } else {
                begun.append(waiting)
            }
        }
        for (waiting, result) in zip(begun, commit(begun, in: db)) { waiting.answer(result) }
        return true
    }

    /// - Returns: A result for each toggle, in their order.
    private func commit(_ waiting: [WaitingToggle], in db: Database) -> [Result<ToggleOutcome, StoreError>] {
        guard !waiting.isEmpty else { return [] }
        do {
            return try commit(in: db) { group throws in
                try waiting.map { try apply($0, to: &group) }
            }
        } catch {
            return waiting.map { _ in .failure(error) }
        }
    }

    /// Commits the work of `body` on a group in one transaction, and publishes it. It must run on the writer's queue.
    ///
    /// - Parameters:
    ///   - db: The writer's connection.
    ///   - body: Does the work. An error rolls back all of it.
    /// - Returns: The result of `body`, once it is on disk.
    /// - Throws: `StoreError.notWritable`, or `.notReadable` if `body` reads a damaged list.
    func commit<Value>(
        in db: Database,
        _ body: (inout ToggleGroup) throws -> Value
    ) throws(StoreError) -> Value {
        if let refusal { throw refusal }
        do {
            var group = ToggleGroup(of: state.withLock { $0 }, tables: tables, limits: limits, now: now())
            try files?.verify()
            let start = instant()
            let value = try db.committed {
                let value = try body(&group)
                try group.finish()
                return value
            }
            commitTimes.add(nanoseconds: Int64(clamping: (instant() - start).attoseconds / 1_000_000_000))
            try files?.verify()
            publish(group)
            return value
        } catch let damage as DamagedList {
            throw readError(damage, in: "a commit")
        } catch {
            throw .notWritable(fault(error, in: "a commit").text)
        }
    }

    /// - Throws: An error for which the whole transaction has to be rolled back.
    private func apply(
        _ waiting: WaitingToggle,
        to group: inout ToggleGroup
    ) throws -> Result<ToggleOutcome, StoreError> {
        do {
            return try group.apply(waiting.toggle, character: waiting.character)
        } catch let error as DatabaseError {
            throw error
        } catch let damage as DamagedList {
            return .failure(readError(damage, in: "a toggle"))
        } catch {
            return .failure(.notWritable(fault(error, in: "a toggle").text))
        }
    }

    /// Publishes a committed group, to the state of the writer and to the feed, before the callers are answered.
    private func publish(_ group: ToggleGroup) {
        state.withLock { $0.committed(group) }
        if let last = group.changes.last, let witness {
            let list = group.lists[last.list]?.state ?? ListState()
            witness.write(state.withLock { StoreWitness.Progress($0, last: last.list, list) })
        } else if group.revisionCount != 0 {
            witness?.write(changeCount: state.withLock { $0.changeCount })
        }
        if !group.changes.isEmpty { feed.send(.changed(group.changes)) }
    }
}
