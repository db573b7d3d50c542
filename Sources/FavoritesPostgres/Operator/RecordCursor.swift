/// The rows of a query in a transaction, fetched a few at a time.
final class RecordCursor {
    private let connection: PostgresConnection
    private let fetch: Statement
    private var rows: Rows?
    private var row = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - connection: A connection in a transaction.
    ///   - name: The name of the cursor, one for each query of the transaction.
    ///   - query: The query.
    ///   - batch: The number of rows that are in memory at once.
    /// - Throws: The server's error.
    init(_ connection: PostgresConnection, _ name: String, _ query: String, batch: Int) throws(DatabaseFault) {
        self.connection = connection
        fetch = Statement(name: "fetch_\(name)", text: "FETCH \(batch) FROM \(name)", isPrepared: false)
        try connection.execute("DECLARE \(name) NO SCROLL CURSOR FOR \(query)")
    }

    /// Returns the current row, which stays the current one until `advance`; nil after the last one.
    func current() throws(DatabaseFault) -> (rows: Rows, row: Int)? {
        if let rows, row < rows.count { return (rows, row) }
        guard !isAtEnd else { return nil }
        let fetched = try connection.run(fetch)
        (rows, row) = (fetched, 0)
        isAtEnd = fetched.count == 0
        return isAtEnd ? nil : (fetched, 0)
    }

    func advance() { row += 1 }
}
