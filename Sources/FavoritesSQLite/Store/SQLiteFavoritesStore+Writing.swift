internal import Dispatch
package import FavoritesEngine
internal import Foundation
package import MarvelDomain
internal import SQLiteFiles
internal import Synchronization

/// The writer: requests wait in the inbox of the driver, and are taken in groups that share a transaction.
extension SQLiteFavoritesStore {
    package func add(
        _ kind: FavoritesRequest.Kind,
        key: RequestKey?,
        _ deadline: ContinuousClock.Instant?,
        reply: FavoritesRequest.Reply
    ) -> @Sendable () -> Void {
        driver.add(kind, key: key, deadline, waking: writerThread.wake, reply: reply)
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

    /// Takes turns until no request waits. It runs on the writer's thread.
    ///
    /// It leaves the queue after each turn, so that the queue's other users get theirs under load.
    func takeTurns() {
        repeat {
            database.writer.sync { db in
                driver.turn(on: self)
                checkpointIfDue(in: db)
            }
        } while driver.hasWork(on: self)
    }
}

/// The back end, on the writer's queue.
extension SQLiteFavoritesStore: FavoritesBackend {
    package func step(_ body: (inout FavoritesEngine) -> Void) {
        let effects = engine.withLock { engine in
            body(&engine)
            return engine.takeEffects()
        }
        for event in effects.events { feed.send(event) }
        effects.answer()
    }

    package func read(_ wanted: WantedLists) throws(FavoritesEngine.Failure) -> ListReading {
        if let refusal { throw .refused(refusal) }
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
            throw .refused(.notWritable(fault(error, in: "a change").text))
        }
        return reading
    }

    package func take(_ reading: ListReading) { step { $0.read(reading) } }

    package func commit(_ group: ChangeGroup) throws(FavoritesEngine.Failure) -> GroupOutcome {
        if let refusal { throw .refused(refusal) }
        var refused: [ListName: StoreError] = [:]
        while true {
            do {
                var writer = GroupWriter(of: state.withLock { $0 }, in: tables, limits, at: group.time, instant())
                let outcome = try transaction(in: tables.db) {
                    // The change was made, and its answer is lost.
                    try writer.run(group, refusing: refused) { error in
                        .outcomeUnknown(fault(error, in: "a change").text)
                    }
                }
                publish(writer, outcome)
                return outcome
            } catch let damage as DamagedList where refused[damage.list] == nil {
                refused[damage.list] = readError(damage, in: "a change")
            } catch {
                throw .refused(writeError(error))
            }
        }
    }

    package func take(_ outcome: GroupOutcome, of group: ChangeGroup) {
        let damagedLists = state.withLock(\.damagedLists)
        step { engine in
            engine.committed(outcome, at: instant())
            // A reader may have found one damaged meanwhile.
            for list in damagedLists { engine.forget(list) }
        }
    }

    /// Runs work in a transaction, on the writer's queue, and returns its value once that is on disk.
    func transaction<Value>(in db: Database, _ body: () throws -> Value) throws -> Value {
        try files.verify()
        let start = instant()
        let value = try db.committed(body)
        commitTimes.add(nanoseconds: Int64(clamping: (instant() - start).attoseconds / 1_000_000_000))
        try files.verify(isCommitted: true)
        state.withLock { $0.writeFailure = nil }
        return value
    }

    /// Reports the error of a transaction to the operator, and returns the error for the callers.
    func writeError(_ error: any Error) -> StoreError {
        let fault = fault(error, in: "a commit")
        state.withLock { $0.writeFailure = fault.text }
        return fault.isOutcomeUnknown ? .outcomeUnknown(fault.text) : .notWritable(fault.text)
    }

    /// Publishes a committed group, before its callers are answered.
    private func publish(_ writer: GroupWriter, _ outcome: GroupOutcome) {
        let state = state.withLock { state in
            state.committed(writer.state, outcome)
            return state
        }
        guard let last = writer.last else { return }
        witness?.write(StoreWitness.Progress(state, last: last.list, last.state))
    }
}

extension SQLiteFavoritesStore {
    /// The pages of 4 KiB above which a checkpoint waits for the readers of this process: 16 MiB.
    private static let largeLog = 4_096
    /// The pages of 4 KiB above which the operator gets a message: 64 MiB.
    private static let hugeLog = 16_384

    func checkpointIfDue(in db: Database) {
        guard refusal == nil, log.beginCheckpoint() else { return }
        if let pageCount = checkpoint(db, .passive), pageCount > Self.largeLog { checkpointWithoutReaders() }
    }

    /// Makes a checkpoint while no reader of this process is active.
    ///
    /// A log starts over only when all of it was copied. A reader prevents the copying of pages that were written after
    /// it began. Readers that always overlap would let the log grow without limit. New readers wait until this is done.
    /// The checkpoint is passive, so that it does not wait for a reader in another process.
    private func checkpointWithoutReaders() {
        database.writeWithoutReaders { [self] db in
            guard let pageCount = checkpoint(db, .passive), pageCount > Self.hugeLog else { return }
            onError("the log has \(pageCount) pages: a reader of the store keeps it from being truncated")
        }
    }

    /// Returns the number of pages in the log if some could not be copied; nil also if the checkpoint failed, which was
    /// reported to the operator.
    @discardableResult
    func checkpoint(_ db: Database, _ mode: Database.CheckpointMode) -> Int? {
        do {
            let (pageCount, copiedCount) = try db.checkpoint(mode)
            log.checkpointEnded()
            return copiedCount < pageCount ? pageCount : nil
        } catch {
            _ = fault(error, in: "a checkpoint")
            return nil
        }
    }
}

/// The thread that commits a store's groups, and sleeps while no request waits.
///
/// A serial queue runs a synchronous block on the calling thread, if the queue is idle. So this thread commits all
/// groups. An asynchronous block would run on another thread of a pool each time. That thread has cold caches, and
/// another one has to free its memory: that took a tenth of a toggle's time when few share a commit.
final class WriterThread: Sendable {
    private let wakes = DispatchSemaphore(value: 0)
    private let isEnded = Atomic(false)

    /// - Parameter work: Called on the thread, once for each call of `wake`.
    func start(_ work: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            while true {
                wakes.wait()
                guard !isEnded.load(ordering: .acquiring) else { return }
                work()
            }
        }
    }

    func wake() { wakes.signal() }

    func end() {
        isEnded.store(true, ordering: .releasing)
        wakes.signal()
    }
}
