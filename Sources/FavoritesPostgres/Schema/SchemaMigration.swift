internal import MarvelDomain

/// The facts about a store that the database holds once.
struct StoreFacts: Equatable {
    var version: Int
    var history: HistoryID
    /// The number of favorites that a list holds.
    var capacity: Int
    /// The revision of lists that are not there.
    var base: Int64
    /// The difference of the cluster from the one on which the history was last served.
    var cluster: ClusterChange
    /// Whether the store has noted the cluster as it is now.
    var isAsNoted: Bool
    /// The cluster that serves it.
    var served: ServedCluster

    /// Reads the facts.
    init(reading connection: PostgresConnection) throws(DatabaseFault) {
        let rows = try connection.run(.meta)
        guard rows.count == 1 else { throw .malformed("marvel.meta has \(rows.count) rows") }
        version = Int(try rows.integer(0, 0))
        history = HistoryID(try rows.integer(0, 1))
        capacity = Int(try rows.integer(0, 2))
        base = try rows.integer(0, 3)
        cluster = ClusterChange(
            isSameSystem: try rows.boolean(0, 5),
            timelineStep: try rows.integer(0, 6),
            wasSynchronous: try rows.boolean(0, 4)
        )
        served = ServedCluster(systemID: try rows.integer(0, 8), timeline: try rows.integer(0, 9))
        let isSynchronous = try rows.boolean(0, 7)
        isAsNoted = cluster.isNone && cluster.wasSynchronous == isSynchronous
    }
}

/// The making of the schema, and its steps to the newest version.
enum SchemaMigration {
    /// Makes the steps that are missing, each in a transaction of its own, one server at a time.
    ///
    /// - Parameters:
    ///   - connection: A connection outside a transaction.
    ///   - capacity: The number of favorites that a list of a new store holds.
    /// - Throws: The server's error, for example if the schema has to be made and the role may not. A version that is newer
    ///   than this program's is no error: its steps only added something.
    static func migrate(_ connection: PostgresConnection, capacity: Int) throws(DatabaseFault) {
        // Most starts find the newest schema, and need no right to change it.
        if try connection.run(.hasSchema).boolean(0, 0) {
            guard try StoreFacts(reading: connection).version < Schema.version else { return }
        }
        for step in 0..<Schema.version {
            try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(\(Functions.migrationLock))")
            do {
                try make(step, connection, capacity)
                try connection.execute("COMMIT")
            } catch {
                try? connection.execute("ROLLBACK")
                throw error
            }
        }
    }

    private static func make(_ step: Int, _ connection: PostgresConnection, _ capacity: Int) throws(DatabaseFault) {
        var version = 0
        if try connection.run(.hasSchema).boolean(0, 0) {
            version = Int(try connection.run(.schemaVersion).integer(0, 0))
        } else {
            try connection.execute("CREATE SCHEMA IF NOT EXISTS marvel")
        }
        guard version == step else { return }
        try connection.execute(Schema.steps[step])
        var parameters = Parameters()
        parameters.add(Int64(step + 1))
        guard step == 0 else {
            try connection.run(.setVersion, parameters)
            return
        }
        parameters.add(HistoryID.random().value)
        parameters.add(Int64(capacity))
        try connection.run(.insertMeta, parameters)
    }
}
