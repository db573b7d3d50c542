internal import MarvelDomain

/// The deletion of old answers, a few whenever some were written: so they never become more, however fast they are written.
struct AnswerPruner {
    /// The number of answers after which old ones are deleted.
    static let interval = 64
    /// The number of answers that are looked at for one that was written. Above 1, so that a surplus becomes smaller.
    private static let factor = 2
    /// The maximum number of answers that are looked at in one statement, which takes a few milliseconds.
    private static let maximumBatch = 1_000
    /// The number of statements after which the next one begins at the oldest answer again: an answer becomes visible late
    /// if its commit has waited long for a standby.
    private static let statementsPerRound = 1_000

    private let maximumAnswers: Int64
    private var expiry: AnswerExpiry
    /// The number of an answer up to which all are deleted, and the newest answer, as seen on the connection of a backend.
    private var position: Int64 = 0
    private var newest: Int64 = 0
    private var backendID: Int32 = 0
    private var statementCount = 0

    init(maximumAnswers: Int64) {
        self.maximumAnswers = maximumAnswers
        expiry = AnswerExpiry(maximumCount: maximumAnswers)
    }

    /// Deletes old answers after some were written.
    mutating func prune(
        after written: Int,
        _ connection: PostgresConnection,
        at now: ContinuousClock.Instant = .now
    ) throws(DatabaseFault) {
        // Another connection may be to a database whose numbers are lower.
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
        var parameters = Parameters()
        parameters.add(position)
        parameters.add(count)
        // The first statement of a connection tells the newest answer.
        parameters.add(newest > 0 ? expiry.lastExpired(newest: newest, at: now) : 0)
        let rows = try connection.run(.pruneAnswers, parameters)
        (position, newest) = (try rows.integer(0, 0), try rows.integer(0, 1))
        statementCount += 1
        if statementCount % Self.statementsPerRound == 0 { position = 0 }
    }
}

/// The deletion of the names of lists that were deleted long ago. One replica does it: the one whose connection holds the
/// lock.
struct RecordSweeper: Sendable {
    /// The maximum number of names in one transaction. Each may have 1,000 changes.
    private static let batch: Int64 = 100

    /// The number of deletions whose names are kept.
    var maximumDeletedNames: Int64

    /// Deletes some names.
    ///
    /// - Returns: Whether there may be more.
    func sweep(_ connection: PostgresConnection) throws(DatabaseFault) -> Bool {
        // It may be taken many times by one connection, and ends with it.
        guard try connection.run(.trySweepLock).boolean(0, 0) else { return false }
        var parameters = Parameters()
        parameters.add(maximumDeletedNames)
        parameters.add(Self.batch)
        return try connection.run(.dropDeletedNames, parameters).integer(0, 0) == Self.batch
    }
}
