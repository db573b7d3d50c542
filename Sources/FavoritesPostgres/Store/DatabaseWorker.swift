internal import MarvelDomain
internal import RPCCore
internal import Synchronization

/// A connection that runs one job after the other. A store has one for reads of lists, and one for jobs that may wait. Jobs are
/// idempotent: they run again if their connection was lost.
final class DatabaseWorker: Sendable {
    private struct Job: Sendable {
        var arrival = ContinuousClock.now
        /// Whether it is no read, which decides on the error for its caller.
        var isChange: Bool
        var run: @Sendable (PostgresConnection) throws(DatabaseFault) -> Void
        var refuse: @Sendable (StoreError) -> Void

        func fail(_ fault: DatabaseFault, isOutcomeUnknown: Bool) {
            refuse(isChange ? fault.writeError(isOutcomeUnknown: isOutcomeUnknown) : fault.readError)
        }
    }

    private static let maximumCount = 16_384
    /// The maximum wait of a job while there is no connection.
    private static let patience = Duration.seconds(2)
    private static let sweepInterval = Duration.seconds(60)
    private static let idleAttempt = Duration.milliseconds(500)

    let thread: DatabaseThread
    let part: StoreStatus.Part
    private let status: StoreStatus
    /// Deletes old names while no job waits; nil if another connection does it.
    private let sweeper: RecordSweeper?
    /// The waiting jobs; nil once the thread has ended.
    private let jobs = Mutex<[Job]?>([])

    init(
        _ part: StoreStatus.Part,
        _ status: StoreStatus,
        _ sweeper: RecordSweeper? = nil
    ) throws(FavoritesDatabaseError) {
        self.part = part
        self.status = status
        self.sweeper = sweeper
        thread = try DatabaseThread()
    }

    /// Runs a job on the thread of the connection. It may run again after a fault.
    func run<Value: Sendable>(
        isChange: Bool = false,
        _ body: @escaping @Sendable (PostgresConnection) throws(DatabaseFault) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let job = Job(isChange: isChange) { connection throws(DatabaseFault) in
                continuation.resume(returning: .success(try body(connection)))
            } refuse: { error in
                continuation.resume(returning: .failure(error))
            }
            add(job)
        }
        return try result.get()
    }

    private func add(_ job: Job) {
        let refusal: StoreError? = jobs.withLock { jobs in
            guard let count = jobs?.count else { return Self.closed }
            guard count < Self.maximumCount else { return .overloaded }
            jobs?.append(job)
            return nil
        }
        if let refusal { job.refuse(refusal) } else { thread.wakeup.wake() }
    }

    private static let closed = StoreError.unavailable("the store is closed")

    // MARK: The thread

    func work(_ link: DatabaseLink) {
        var nextSweep = ContinuousClock.now + Self.sweepInterval
        while !thread.shouldStop {
            let waiting = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs ?? []
            }
            for job in waiting { run(job, link) }
            if waiting.isEmpty { rest(link, &nextSweep) }
        }
        let rest = jobs.withLock { jobs in
            defer { jobs = nil }
            return jobs ?? []
        }
        for job in rest { job.refuse(Self.closed) }
    }

    private func run(_ job: Job, _ link: DatabaseLink) {
        var conflictCount = 0
        var isOutcomeUnknown = false
        while true {
            do throws(DatabaseFault) {
                let connection = try link.connection()
                status.connected(part)
                return try job.run(connection)
            } catch {
                let isInTime = job.arrival + Self.patience > .now && !thread.shouldStop
                switch error.consequence {
                case .reconnect:
                    if link.current != nil {
                        isOutcomeUnknown = true
                        link.failed(error)
                    }
                    status.failed(part, error)
                    guard isInTime else { return job.fail(error, isOutcomeUnknown: isOutcomeUnknown) }
                    link.waitForAttempt()
                case .retry:
                    guard isInTime else { return job.fail(error, isOutcomeUnknown: isOutcomeUnknown) }
                    conflictCount += 1
                    let wait = Writer.conflictBackoff.delay(
                        afterFailures: conflictCount,
                        random: .random(in: 0..<1)
                    )
                    _ = thread.wakeup.wait(timeout: wait)
                case .refuse, .endWriting, .fail:
                    status.report(job.isChange ? "a change" : "a read", error)
                    return job.fail(error, isOutcomeUnknown: isOutcomeUnknown)
                }
            }
        }
    }

    /// Waits for jobs. Meanwhile it connects, and deletes old names.
    private func rest(_ link: DatabaseLink, _ nextSweep: inout ContinuousClock.Instant) {
        do throws(DatabaseFault) {
            let connection = try link.connection()
            status.connected(part)
            guard let sweeper else { return try link.rest(nil) }
            if nextSweep <= .now {
                // Set first: a sweep that fails is not repeated at once.
                nextSweep = .now + Self.sweepInterval
                if try sweeper.sweep(connection) { nextSweep = .now }
            }
            try link.rest(ContinuousClock.now.duration(to: nextSweep))
        } catch {
            if link.current != nil { link.failed(error) }
            status.failed(part, error)
            _ = thread.wakeup.wait(timeout: Self.idleAttempt)
        }
    }
}
