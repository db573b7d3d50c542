internal import MarvelDomain

/// Deletes old answers in proportion to those that are written.
struct AnswerPruner {
    /// The number of answers after which old ones are deleted.
    static let interval = 64
    /// The number of answers to look at for one that was written. Above 1, so that a surplus shrinks.
    private static let factor = 2
    /// The maximum number for one statement, which takes a few milliseconds.
    private static let maximumBatch = 1_000
    /// The number of statements after which the next one begins at the oldest answer again: commits that waited long for a standby
    /// become visible late.
    private static let statementsPerRound = 1_000

    private let maximumAnswers: Int64
    private var expiry: AnswerExpiry
    /// The number of an answer up to which all are deleted, as seen on the connection of `backendID`.
    private var position: Int64 = 0
    private var newest: Int64 = 0
    private var backendID: Int32 = 0
    private var statementCount = 0

    init(maximumAnswers: Int64) {
        self.maximumAnswers = maximumAnswers
        expiry = AnswerExpiry(maximumCount: maximumAnswers)
    }

    mutating func prune(
        after written: Int,
        _ connection: PostgresConnection,
        at now: ContinuousClock.Instant = .now
    ) throws(DatabaseFault) {
        // Another connection may be to a database with lower numbers.
        if connection.backendID != backendID {
            (position, newest, backendID) = (0, 0, connection.backendID)
            expiry = AnswerExpiry(maximumCount: maximumAnswers)
        }
        var count = Self.factor * written
        while count > 0 {
            try prune(Int64(min(count, Self.maximumBatch)), connection, at: now)
            count -= Self.maximumBatch
        }
    }

    private mutating func prune(
        _ count: Int64,
        _ connection: PostgresConnection,
        at now: ContinuousClock.Instant
    ) throws(DatabaseFault) {
        // The first statement of a connection returns the newest answer.
        let last = newest > 0 ? expiry.lastExpired(newest: newest, at: now) : 0
        let rows = try connection.run(.pruneAnswers, position, count, last)
        (position, newest) = (try rows.integer(0, 0), try rows.integer(0, 1))
        statementCount += 1
        if statementCount % Self.statementsPerRound == 0 { position = 0 }
    }
}

/// Deletes the names of lists that were deleted long ago. The replica whose connection holds a lock does it.
struct RecordSweeper: Sendable {
    /// The maximum number of names in one transaction. Each may have 1,000 changes.
    private static let batch: Int64 = 100

    /// The number of deletions whose names are kept.
    var maximumDeletedNames: Int64

    /// Deletes some names, and returns whether there may be more.
    func sweep(_ connection: PostgresConnection) throws(DatabaseFault) -> Bool {
        // A connection may take the lock many times, and holds it until it ends.
        let lock: Statement = "SELECT pg_try_advisory_lock(\(Functions.sweepLock))"
        guard try connection.run(lock).boolean(0, 0) else { return false }
        return try connection.run(.dropDeletedNames, maximumDeletedNames, Self.batch).integer(0, 0) == Self.batch
    }
}
