internal import MarvelDomain
internal import RPCCore
internal import Synchronization

/// The work that is not the writer's, one statement after the other on a connection of its own: reads, pictures, updates
/// of characters, and the deletion of old records.
///
/// Each piece of work may be done twice without harm, so it is done again if its connection was lost.
final class DatabaseReader: Sendable {
    private struct Job: Sendable {
        var arrival = ContinuousClock.now
        var run: @Sendable (PostgresConnection) throws(DatabaseFault) -> Void
        var fail: @Sendable (StoreError) -> Void
    }

    /// The maximum number of jobs that wait.
    private static let maximumCount = 16_384
    /// The maximum wait of a job while there is no connection.
    private static let patience = Duration.seconds(2)
    private static let sweepInterval = Duration.seconds(60)
    private static let idleAttempt = Duration.milliseconds(500)

    let thread: DatabaseThread
    private let status: StoreStatus
    private let sweeper: RecordSweeper
    private let jobs = Mutex<[Job]>([])

    init(_ status: StoreStatus, _ sweeper: RecordSweeper) throws(FavoritesDatabaseError) {
        self.status = status
        self.sweeper = sweeper
        thread = try DatabaseThread()
    }

    /// Runs work on the reader's thread.
    ///
    /// - Parameters:
    ///   - error: Makes the error for the caller from a fault.
    ///   - body: The work. It may run again after a fault.
    /// - Returns: The result of the work.
    /// - Throws: `StoreError`.
    func run<Value: Sendable>(
        _ error: @escaping @Sendable (DatabaseFault) -> StoreError = \.readError,
        _ body: @escaping @Sendable (PostgresConnection) throws(DatabaseFault) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let job = Job { connection throws(DatabaseFault) in
                continuation.resume(returning: .success(try body(connection)))
            } fail: { error in
                continuation.resume(returning: .failure(error))
            }
            add(job, error)
        }
        return try result.get()
    }

    private func add(_ job: Job, _ error: @escaping @Sendable (DatabaseFault) -> StoreError) {
        guard !thread.shouldStop else { return job.fail(.unavailable("the store is closed")) }
        let isAdded = jobs.withLock { jobs in
            guard jobs.count < Self.maximumCount else { return false }
            jobs.append(job)
            return true
        }
        guard isAdded else { return job.fail(.overloaded) }
        thread.wakeup.wake()
    }

    // MARK: The thread

    /// Works until the store is closed.
    func work(_ link: DatabaseLink) {
        var nextSweep = ContinuousClock.now + Self.sweepInterval
        while !thread.shouldStop {
            let waiting = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            for job in waiting { run(job, link) }
            if waiting.isEmpty { rest(link, &nextSweep) }
        }
        let rest = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in rest { job.fail(.unavailable("the store is closed")) }
    }

    /// Runs one job, on a new connection too if the first one is lost.
    private func run(_ job: Job, _ link: DatabaseLink) {
        var conflictCount = 0
        while true {
            do throws(DatabaseFault) {
                let connection = try link.connection()
                status.connected(.reader)
                return try job.run(connection)
            } catch {
                let isInTime = job.arrival + Self.patience > .now && !thread.shouldStop
                switch error.consequence {
                case .reconnect:
                    if link.current != nil { link.failed(error) }
                    status.failed(.reader, error)
                    guard isInTime else { return job.fail(error.readError) }
                    link.waitForAttempt()
                case .retry:
                    guard isInTime else { return job.fail(error.readError) }
                    conflictCount += 1
                    let wait = GroupWriter.conflictBackoff.delay(
                        afterFailures: conflictCount,
                        random: .random(in: 0..<1)
                    )
                    _ = thread.wakeup.wait(timeout: wait)
                case .refuse, .endWriting, .fail:
                    status.report("a read", error)
                    return job.fail(error.readError)
                }
            }
        }
    }

    /// Waits for jobs. Meanwhile it connects, and deletes old records.
    private func rest(_ link: DatabaseLink, _ nextSweep: inout ContinuousClock.Instant) {
        do throws(DatabaseFault) {
            let connection = try link.connection()
            status.connected(.reader)
            if nextSweep <= .now {
                nextSweep = .now + Self.sweepInterval
                try sweeper.sweep(connection)
            }
            try link.rest(ContinuousClock.now.duration(to: nextSweep))
        } catch {
            if link.current != nil { link.failed(error) }
            status.failed(.reader, error)
            _ = thread.wakeup.wait(timeout: Self.idleAttempt)
        }
    }
}
