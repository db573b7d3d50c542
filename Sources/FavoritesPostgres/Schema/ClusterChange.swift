internal import MarvelDomain

/// A cluster of PostgreSQL, and the timeline on which it writes.
struct ServedCluster: Equatable {
    var systemID: Int64
    var timeline: Int64
}

/// The difference of a cluster from the one on which a store's history was last served.
struct ClusterChange: Equatable {
    var isSameSystem: Bool
    /// 1 if the timeline is later, because a standby was promoted or a backup restored; -1 if it is earlier.
    var timelineStep: Int64
    var wasSynchronous: Bool

    var isNone: Bool { isSameSystem && timelineStep == 0 }

    enum Consequence: Equatable {
        case keep
        /// Acknowledged commits may be missing: begin a new history.
        case renew
        /// The server is an old primary: its commits would be lost.
        case refuse
    }

    var consequence: Consequence {
        guard isSameSystem else { return .renew }
        if timelineStep < 0 { return .refuse }
        return timelineStep == 0 || wasSynchronous ? .keep : .renew
    }
}

extension ClusterChange {
    /// Reads the facts of a store on a new connection, notes the cluster that serves it, and begins a new history above `floor` if
    /// acknowledged commits may be missing.
    static func verifiedFacts(
        _ connection: PostgresConnection,
        floor: Int64,
        after record: ClusterRecord? = nil
    ) throws(DatabaseFault) -> StoreFacts {
        let facts = try StoreFacts(reading: connection)
        // An old primary that comes back knows nothing of its standby.
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
    /// Notes the cluster that serves the history.
    func adoptCluster() throws(DatabaseFault) {
        // A standby that is down would delay reads. One that lacks the note lacks all later commits too.
        try execute("BEGIN; \(Statement.adoptCluster); SET LOCAL synchronous_commit = local; COMMIT")
    }

    /// A new history writes every list and deletes all changes.
    private static let renewalSeconds: Int64 = 1_800

    /// Begins a new history above a floor, unless another server did, and notes the cluster that serves it.
    func renewHistory(_ ended: HistoryID, floor: Int64) throws(DatabaseFault) {
        // One transaction, because a server that found the new history on another cluster would begin one more. It is sent at once,
        // so the database finishes it after the timeout of this connection too, and later attempts find the new history.
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
    /// A random history. It is not negative, because places begin with it, and must not begin with a hyphen.
    static func random() -> HistoryID { HistoryID(.random(in: 0 ... .max)) }
}
