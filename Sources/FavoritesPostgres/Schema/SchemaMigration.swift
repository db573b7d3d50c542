internal import MarvelDomain

/// The facts about a store that the database holds once.
struct StoreFacts: Equatable {
    var version: Int
    var history: HistoryID
    var capacity: Int
    /// The difference of the cluster from the one on which the history was last served.
    var cluster: ClusterChange
    /// Whether a commit waits for a standby now.
    var isSynchronous: Bool
    /// Whether the row of `meta` needs no change.
    var isAsNoted: Bool
    var served: ServedCluster

    /// Reads the facts, and throws `.newerSchema` if the program knows too few steps of the schema.
    init(
        reading connection: PostgresConnection,
        knowing knownVersion: Int = Schema.version
    ) throws(DatabaseFault) {
        let rows = try connection.run(.meta)
        guard rows.count == 1 else { throw .malformed("marvel.meta has \(rows.count) rows") }
        version = Int(try rows.integer(0, 0))
        let minimum = try rows.integer(0, 9)
        guard minimum <= knownVersion else {
            throw DatabaseFault(
                kind: .newerSchema,
                message: "the schema has version \(version), which needs a server with version \(minimum); this "
                    + "server has version \(knownVersion): use the newer program"
            )
        }
        history = HistoryID(try rows.integer(0, 1))
        capacity = Int(try rows.integer(0, 2))
        cluster = ClusterChange(
            isSameSystem: try rows.boolean(0, 4),
            timelineStep: try rows.integer(0, 5),
            wasSynchronous: try rows.boolean(0, 3)
        )
        served = ServedCluster(systemID: try rows.integer(0, 7), timeline: try rows.integer(0, 8))
        isSynchronous = try rows.boolean(0, 6)
        isAsNoted = cluster.isNone && cluster.wasSynchronous == isSynchronous
    }
}

enum SchemaMigration {
    /// Makes the missing steps, each in a transaction of its own, one server at a time.
    static func migrate(
        _ connection: PostgresConnection,
        capacity: Int,
        steps: [Schema.Step] = Schema.steps
    ) throws(DatabaseFault) {
        do {
            // A start that finds the newest schema needs no right to change it.
            guard try isMissing(steps, connection) else { return }
            for number in steps.indices { try make(steps[number], number, connection, capacity) }
            try Rights.renew(connection)
        } catch {
            throw error.explained(connection)
        }
    }

    private static func isMissing(
        _ steps: [Schema.Step],
        _ connection: PostgresConnection
    ) throws(DatabaseFault) -> Bool {
        guard try connection.run(.hasSchema).boolean(0, 0) else { return true }
        return try StoreFacts(reading: connection, knowing: steps.count).version < steps.count
    }

    /// A step may rewrite each row of a table, or wait for another server that does.
    private static let stepSeconds = 1_800

    private static func make(
        _ step: Schema.Step,
        _ number: Int,
        _ connection: PostgresConnection,
        _ capacity: Int
    ) throws(DatabaseFault) {
        try connection.execute(
            """
            BEGIN;
            SET LOCAL statement_timeout = '\(stepSeconds)s';
            SET LOCAL lock_timeout = '\(stepSeconds)s';
            SELECT pg_advisory_xact_lock(\(Functions.migrationLock));
            -- Wait for writers, so that none waits for a table while it holds another one.
            SELECT pg_advisory_xact_lock(\(Functions.historyLock));
            SET LOCAL lock_timeout = '\(Statement.lockTimeout)';
            """,
            within: .seconds(stepSeconds)
        )
        do {
            try makeIfMissing(step, number, connection, capacity)
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    private static func makeIfMissing(
        _ step: Schema.Step,
        _ number: Int,
        _ connection: PostgresConnection,
        _ capacity: Int
    ) throws(DatabaseFault) {
        var version = 0
        if try connection.run(.hasSchema).boolean(0, 0) {
            version = Int(try connection.run("SELECT version FROM marvel.meta FOR UPDATE").integer(0, 0))
        } else {
            try connection.execute("CREATE SCHEMA IF NOT EXISTS marvel")
        }
        guard version == number else { return }
        try connection.execute(step.sql, within: .seconds(stepSeconds))
        if number == 0 {
            try connection.run(.insertMeta, HistoryID.random().value, capacity)
        } else {
            try connection.run(.setVersion, number + 1, step.minimum ?? 1)
        }
    }
}

extension DatabaseFault {
    /// Adds the command that helps if the role may not read or change the schema.
    fileprivate func explained(_ connection: PostgresConnection) -> DatabaseFault {
        guard kind == .server(.insufficientPrivilege) else { return self }
        let role = (try? connection.run(.currentRole).text(0, 0)) ?? "ROLE"
        return DatabaseFault.notAllowed(
            "the role \(role) lacks a right in the schema marvel (\(message)): its owner can grant it, and create or migrate "
                + "the schema, with "
                + "`marvel-server migrate ADDRESS --grant \(role)`"
        )
    }
}
