package import MarvelDomain

/// A verification of a store in a database, which changes nothing. Servers may be connected.
package enum DatabaseCheck {
    /// Checks a store in one transaction, so that all reads see the same state.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - capacity: The maximum number of favorites of a list; nil for any number.
    /// - Returns: The contents of the store, and its problems.
    /// - Throws: `FavoritesDatabaseError` if there is no store, or it cannot be read.
    package static func check(_ address: DatabaseAddress, capacity: Int? = nil) throws -> StoreReport {
        try FavoritesDatabaseError.converting(address) {
            let connection = try PostgresConnection.forOperator(address)
            try connection.requireStore()
            try connection.execute(Statement.beginSnapshot)
            var report = try audit(connection)
            try connection.execute(Statement.commit)
            if let capacity, report.longestList > capacity {
                report.note("a list has \(report.longestList) favorites, maximum is \(capacity)")
            }
            return report
        }
    }

    /// Checks a store as a transaction sees it.
    ///
    /// - Parameter connection: A connection in a transaction.
    /// - Returns: The contents of the store, and its problems.
    /// - Throws: `DatabaseFault`.
    static func audit(_ connection: PostgresConnection) throws -> StoreReport {
        let facts = try StoreFacts(reading: connection)
        var audit = RecordAudit(digest: DatabaseDigest.next(after:revision:text:))
        var unreadable: DatabaseFault?
        var damaged: [DamagedEdit] = []
        do {
            let source = try DatabaseSource(in: connection)
            try source.read(into: &audit)
            try source.forEachEdit {
                damaged.append($0)
            } _: { _, _ in
                audit.report.editCount += 1
            }
        } catch let fault as DatabaseFault where fault.kind == .malformed {
            unreadable = fault
        }
        var report = audit.report
        if let unreadable { report.note("\(unreadable); the records after it were not compared") }
        for damage in damaged { report.note("\(damage); it is refused") }
        report.schemaVersion = facts.version
        report.history = facts.history.description
        report.capacity = facts.capacity
        report.byteCount = try connection.run(.storeByteCount).integer(0, 0)
        try note(facts.cluster, &report)
        try noteStrayRecords(connection, &report)
        for fault in try connection.damagedRows() {
            if let list = fault.damagedList {
                report.note("\(fault); the list is refused")
                report.damagedLists.insert(list)
            } else {
                report.note("\(fault)")
            }
        }
        let ahead = try connection.run(.answersAhead)
        for row in 0..<ahead.count {
            let (answered, revision) = (try ahead.integer(row, 1), try ahead.integer(row, 2))
            report.note(
                "list \(try ahead.text(row, 0)) is at revision \(revision), but a request was answered with \(answered)"
            )
        }
        return report
    }

    private static func note(_ cluster: ClusterChange, _ report: inout StoreReport) throws {
        switch cluster.consequence {
        case .keep: break
        case .refuse: report.note("the server is an old primary that was replaced")
        case .renew:
            report.note(
                loss: "acknowledged changes may be missing, because another cluster or timeline serves the database: "
                    + "the next server starts a new history"
            )
        }
    }

    private static func noteStrayRecords(
        _ connection: PostgresConnection,
        _ report: inout StoreReport
    ) throws(DatabaseFault) {
        let stray = try connection.run(.strayRecords)
        for (column, records) in ["favorites", "changes"].enumerated() {
            let count = try stray.integer(0, column)
            if count > 0 { report.note("\(count) \(records) belong to missing lists") }
        }
    }
}
