internal import MarvelDomain

/// The deletion of old answers and of the names of lists that were deleted long ago. One replica does it: the one whose
/// connection holds the lock.
struct RecordSweeper: Sendable {
    /// The maximum number of rows in one transaction.
    private static let batch: Int64 = 1_000
    /// The maximum number of transactions in one sweep; reads wait meanwhile.
    private static let maximumBatches = 20
    /// The maximum age of an answer, in seconds: 7 days.
    private static let maximumAge: Int64 = 7 * 24 * 60 * 60
    /// The minimum age of an answer, in seconds; a client stops repeating a request before that.
    private static let minimumAge: Int64 = 2 * 60

    /// The maximum number of answers; there are more only while they are younger than two minutes.
    var maximumAnswers: Int64
    /// The maximum number of names of deleted lists.
    var maximumDeletedNames: Int64
    var now: @Sendable () -> Timestamp

    func sweep(_ connection: PostgresConnection) throws(DatabaseFault) {
        // It may be taken many times by one connection, and ends with it.
        guard try connection.run(.trySweepLock).boolean(0, 0) else { return }
        try repeated { () throws(DatabaseFault) in
            var parameters = Parameters()
            parameters.add(now().seconds - Self.maximumAge)
            parameters.add(now().seconds - Self.minimumAge)
            parameters.add(maximumAnswers)
            parameters.add(Self.batch)
            return try connection.run(.pruneAnswers, parameters).integer(0, 0)
        }
        try repeated { () throws(DatabaseFault) in
            var parameters = Parameters()
            parameters.add(maximumDeletedNames)
            parameters.add(Self.batch)
            return try connection.run(.dropDeletedNames, parameters).integer(0, 0)
        }
    }

    /// Calls `body` as long as it deletes full batches.
    private func repeated(_ body: () throws(DatabaseFault) -> Int64) throws(DatabaseFault) {
        for _ in 0..<Self.maximumBatches where try body() < Self.batch { return }
    }
}
