internal import MarvelDomain

/// A connection of a command that an operator runs, beside servers or without one.
extension PostgresConnection {
    /// The maximum time of one statement of a command, and of the pauses between two.
    private static let operatorSeconds = 600

    /// Connects to the primary.
    static func forOperator(_ address: DatabaseAddress) throws(DatabaseFault) -> PostgresConnection {
        let (connection, _) = try PostgresConnection.toPrimary(
            address,
            name: "marvel operator",
            timeout: .seconds(operatorSeconds + 2)
        ) { _ in
        }
        try connection.execute(
            """
            -- A command reads whole tables.
            RESET enable_seqscan;
            RESET enable_bitmapscan;
            RESET enable_mergejoin;
            RESET enable_hashjoin;
            SET lock_timeout = '5s';
            SET statement_timeout = '\(operatorSeconds)s';
            SET idle_in_transaction_session_timeout = '\(operatorSeconds)s';
            """
        )
        return connection
    }

    /// Runs work in one transaction.
    ///
    /// - Parameter body: The work. If it fails, none of it counts.
    /// - Returns: The result of the work.
    /// - Throws: The error of the body, or a fault. After `.connectionLost` the outcome is unknown.
    func committed<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN")
        do {
            let result = try body()
            try execute(Statement.commit)
            return result
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Requires that the database has the tables of a store.
    func requireStore() throws(DatabaseFault) {
        guard try run(.hasSchema).boolean(0, 0) else {
            let message = "no store in the database: it has no schema marvel"
            throw DatabaseFault.notAllowed(message)
        }
    }
}

/// A digest of a change and all changes before it on its list, as the functions of the schema compute it: the first 8
/// bytes of SHA-256.
enum DatabaseDigest {
    /// Returns the digest of a change, from that of the change before (0 if there is none), its revision, and the bytes of
    /// its text.
    static func next(after previous: Int64, revision: Int64, text: [UInt8]) -> Int64 {
        text.withUnsafeBytes { next(after: previous, revision: revision, text: $0) }
    }

    static func next(after previous: Int64, revision: Int64, text: UnsafeRawBufferPointer) -> Int64 {
        withUnsafeBytes(of: (previous.bigEndian, revision.bigEndian)) { head in
            Int64(bitPattern: Digest.sha256Prefix(of: head, text))
        }
    }
}

extension FavoritesDatabaseError {
    /// Calls a body of an operator's command, and converts its faults into errors for the operator.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - body: The work.
    /// - Returns: The result of the body.
    /// - Throws: `FavoritesDatabaseError` in place of a fault; other errors as they are.
    static func converting<Result>(_ address: DatabaseAddress, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let fault as DatabaseFault {
            let code: Code = fault.consequence == .reconnect ? .unreachable : .failed
            throw FavoritesDatabaseError(code, "the store \(address): \(fault)")
        }
    }
}
