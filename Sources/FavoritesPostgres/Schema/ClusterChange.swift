internal import MarvelDomain

/// A cluster of PostgreSQL, and the timeline on which it writes.
struct ServedCluster: Equatable {
    var systemID: Int64
    var timeline: Int64
}

/// The difference of a cluster from the one on which a store's history was last served.
struct ClusterChange: Equatable {
    /// Whether it is the same cluster, or a standby of it.
    var isSameSystem: Bool
    /// 1 if the timeline is a later one, because a standby was promoted or a backup restored; -1 if it is an earlier one.
    var timelineStep: Int64
    /// Whether commits waited for a standby before.
    var wasSynchronous: Bool

    var isNone: Bool { isSameSystem && timelineStep == 0 }

    /// The consequence for the history.
    enum Consequence: Equatable {
        case keep
        /// Acknowledged commits may be missing: begin a new history.
        case renew
        /// The server was the primary before, and another one has taken its place: its commits would be lost.
        case refuse
    }

    var consequence: Consequence {
        guard isSameSystem else { return .renew }
        if timelineStep < 0 { return .refuse }
        return timelineStep == 0 || wasSynchronous ? .keep : .renew
    }
}

extension ClusterChange {
    /// Reads the facts of a store on a new connection, and notes the cluster that serves it. If acknowledged commits may
    /// be missing, a new history begins.
    ///
    /// - Parameters:
    ///   - connection: A connection outside a transaction.
    ///   - floor: The highest revision that this server knows.
    ///   - record: The clusters that this server has seen. An old primary that comes back knows nothing of its standby.
    /// - Returns: The facts as they are then.
    /// - Throws: `.replaced` if the server is one that another has replaced. Nothing is written there.
    static func verifiedFacts(
        _ connection: PostgresConnection,
        floor: Int64,
        after record: ClusterRecord? = nil
    ) throws(DatabaseFault) -> StoreFacts {
        let facts = try StoreFacts(reading: connection)
        let isReplaced = record?.hasReplaced(facts.served) ?? false
        switch isReplaced ? .refuse : facts.cluster.consequence {
        case .keep:
            if !facts.isAsNoted { try connection.adoptCluster() }
            return facts
        case .refuse:
            let message = "the server at \(connection.host) is an old primary that was replaced"
            throw DatabaseFault(kind: .replaced, message: message)
        case .renew:
            try connection.renewHistory(facts.history, floor: floor)
            return try StoreFacts(reading: connection)
        }
    }
}

extension PostgresConnection {
    /// Notes the cluster that serves the history. It does not wait for a standby, whose loss would hold up reads: one that
    /// lacks the note lacks all that came after it too.
    func adoptCluster() throws(DatabaseFault) {
        try execute("BEGIN; \(Statement.adoptCluster); SET LOCAL synchronous_commit = local; COMMIT")
    }

    /// The time for the beginning of a history. It writes every list and deletes all changes, so a large store needs far
    /// more than for any other statement.
    private static let renewalSeconds: Int64 = 1_800

    /// Begins a new history in place of one, unless another server did, and notes the cluster that serves it. Both at
    /// once: who saw the new history on a cluster that is not noted would begin another one.
    ///
    /// All is sent at once, so the database finishes it although this side closes the connection, as after any statement that
    /// takes long. Later attempts find the new history, or the lock of the one that begins it. A thread that waited for the end
    /// would hold up the calls that wait for it.
    ///
    /// - Parameters:
    ///   - ended: The history that ends.
    ///   - floor: A revision above which it begins.
    /// - Throws: `.connectionLost` if it takes longer than other statements may, or another fault. The connection cannot be used
    ///   any more then.
    func renewHistory(_ ended: HistoryID, floor: Int64) throws(DatabaseFault) {
        try execute(
            """
            BEGIN;
            SET LOCAL statement_timeout = '\(Self.renewalSeconds)s';
            \(Statement.renewHistory(ended, floor: floor));
            \(Statement.adoptCluster);
            COMMIT;
            """
        )
    }
}

extension HistoryID {
    /// Makes a history. It is not negative: a place begins with it, and would begin with a hyphen in one of 64 stores.
    static func random() -> HistoryID { HistoryID(.random(in: 0 ... .max)) }
}
