package import MarvelDomain

/// The records of a store in a database, in one transaction.
package struct DatabaseSource {
    private let connection: PostgresConnection
    /// The number of steps of the schema.
    private let version: Int

    /// The number of rows that are in memory at once. A change may have the snapshots of a whole list, a picture 3 MiB.
    private static let (rowBatch, pictureBatch) = (500, 8)

    /// - Parameter connection: A connection in a transaction.
    /// - Throws: The server's error.
    init(in connection: PostgresConnection) throws(DatabaseFault) {
        self.connection = connection
        version = try StoreFacts(reading: connection).version
    }

    /// Writes all lists and edits of a store as text, as of one moment. Servers may be connected.
    ///
    /// - Throws: `FavoritesDatabaseError`, or the error of `write`.
    package static func export(
        _ address: DatabaseAddress,
        _ write: ([UInt8]) throws -> Void
    ) throws -> ListsExport {
        try FavoritesDatabaseError.converting(address) {
            let connection = try PostgresConnection.forOperator(address)
            try connection.requireStore()
            try connection.execute(Statement.beginSnapshot)
            let damaged = Set(try connection.damagedRows().compactMap(\.damagedList))
            var export = ListsExport()
            export.damagedLists = try connection.missingLists()
            let source = try DatabaseSource(in: connection)
            try source.forEachList {
                if let name = $0 { export.damagedLists.append(name) } else { export.invalidNameCount += 1 }
            } _: { list in
                if damaged.contains(list.name) || list.ids != list.favorites.map(\.id) {
                    export.damagedLists.append(list.name)
                } else {
                    try export.write(list, write)
                }
            }
            try source.forEachEdit {
                export.damagedEdits.append($0.characterID)
            } _: {
                try export.write($0, $1, write)
            }
            return export
        }
    }

    /// Reads all lists with their changes, in the order of the names, and then all answers, the oldest first.
    func read(into audit: inout RecordAudit) throws {
        let changes = try cursor("recorded_changes", Statement.recordedChanges)
        try forEachList { name in
            let text = name.map { "the list \($0)" } ?? "a list with an invalid name"
            audit.report.note("\(text) has a row that cannot be read; the list is refused")
        } _: { list in
            try audit.read(list) { body in
                try forEach(changes, of: list.name) { rows, row in body(try .init(rows, row)) }
            }
        }
        let answers = try cursor("recorded_answers", Statement.recordedAnswers)
        while let (rows, row) = try answers.current() {
            guard let id = RequestID(try rows.text(row, 1)) else {
                throw DatabaseFault.malformed("an answer has an invalid request id")
            }
            _ = try AnsweredRequest(rows, row, from: 2, to: RequestKey(id, of: try rows.text(row, 0)))
            audit.report.answerCount += 1
            answers.advance()
        }
    }

    /// Calls `body` with each edit, oldest first.
    ///
    /// - Parameters:
    ///   - onDamage: Called with an edit that differs from what was written, in place of `body`.
    ///   - body: Takes an edit and its picture.
    /// - Throws: The server's error, or that of `body` or `onDamage`.
    func forEachEdit(
        onDamage: (DamagedEdit) throws -> Void,
        _ body: (EditedCharacter, Picture?) throws -> Void
    ) throws {
        let edits = try cursor(
            "recorded_edits",
            Statement.recordedEdits(hasChecksums: version >= Schema.firstVersionWithEditChecksums),
            batch: Self.pictureBatch
        )
        while let (rows, row) = try edits.current() {
            do {
                let edited = try EditedCharacter.read(rows, row).get()
                guard try rows.boolean(row, 5) else { throw DamagedEdit(of: edited.id) }
                try body(edited, edited.picture(rows.bytesIfAny(row, 4)))
            } catch let damage as DamagedEdit {
                try onDamage(damage)
            }
            edits.advance()
        }
    }

    private func cursor(
        _ name: String,
        _ query: String,
        batch: Int = DatabaseSource.rowBatch
    ) throws(DatabaseFault) -> RecordCursor {
        try RecordCursor(connection, name, query, batch: batch)
    }

    /// Merges names and favorites, which come in the order of the names.
    ///
    /// - Parameters:
    ///   - onDamage: Called with the name of a list whose row cannot be read, in place of `body`; nil if the name is invalid.
    ///   - body: Takes a list.
    /// - Throws: The server's error, or that of `body` or `onDamage`.
    private func forEachList(
        onDamage: (ListName?) throws -> Void,
        _ body: (StoreRecord.List) throws -> Void
    ) throws {
        let names = try cursor("recorded_names", Statement.recordedNames)
        let favorites = try cursor("recorded_favorites", Statement.recordedFavorites)
        while let (rows, row) = try names.current() {
            if var list = try? StoreRecord.List(rows, row) {
                try forEach(favorites, of: list.name) { rows, row in list.favorites.append(try .init(rows, row)) }
                try body(list)
            } else {
                try onDamage(try? ListName(rows, row, 0))
            }
            names.advance()
        }
    }

    /// Calls `body` with the rows of a list. Rows of names that have no row of their own are passed over: a check counts
    /// them.
    private func forEach(_ cursor: RecordCursor, of list: ListName, _ body: (Rows, Int) throws -> Void) throws {
        while let (rows, row) = try cursor.current() {
            let name = try rows.text(row, 0)
            if name != list.text {
                guard name.utf8.lexicographicallyPrecedes(list.text.utf8) else { return }
            } else {
                try body(rows, row)
            }
            cursor.advance()
        }
    }
}

/// The rows of a query in a transaction, fetched a few at a time.
private final class RecordCursor {
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
        fetch = "FETCH \(batch) FROM \(name)"
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

extension DatabaseFault {
    var damagedList: ListName? {
        guard case .damaged(let list) = kind else { return nil }
        return list
    }
}

extension PostgresConnection {
    /// Finds the rows of lists and favorites that differ from what was written; none if the schema has no checksums yet.
    func damagedRows() throws(DatabaseFault) -> [DatabaseFault] {
        guard try StoreFacts(reading: self).version >= Schema.firstVersionWithChecksums else { return [] }
        let rows = try run(.damagedRows)
        var faults: [DatabaseFault] = []
        for row in 0..<rows.count {
            let isOfList = rows.isNull(row, 1)
            guard let list = try? ListName(rows, row, 0) else {
                faults.append(
                    .malformed("a row of marvel.\(isOfList ? "lists" : "favorites") has an invalid list name")
                )
                continue
            }
            faults.append(isOfList ? .damagedRow(of: list) : .damagedFavorite(try rows.integer(row, 1), on: list))
        }
        return faults
    }
}

extension PostgresConnection {
    /// Finds the lists that have favorites, but no row.
    fileprivate func missingLists() throws(DatabaseFault) -> [ListName] {
        let rows = try run(.missingLists)
        return (0..<rows.count).compactMap { row in try? ListName(rows, row, 0) }
    }
}

extension StoreRecord.Change {
    fileprivate init(_ rows: Rows, _ row: Int) throws(DatabaseFault) {
        self.init(revision: try rows.integer(row, 1), text: try rows.bytes(row, 3), digest: try rows.integer(row, 2))
    }
}

extension StoreRecord.Favorite {
    fileprivate init(_ rows: Rows, _ row: Int) throws(DatabaseFault) {
        self.init(id: try rows.integer(row, 1), savedRevision: try rows.integer(row, 2), text: try rows.bytes(row, 3))
    }
}

extension StoreRecord.List {
    fileprivate init(_ rows: Rows, _ row: Int) throws(DatabaseFault) {
        guard let owner = ListOwner(stored: try rows.text(row, 3)) else {
            throw .malformed("a list has an invalid owner name")
        }
        self.init(
            try ListName(rows, row, 0),
            revision: try rows.integer(row, 1),
            digest: try rows.integer(row, 2),
            owner: owner,
            deletion: rows.isNull(row, 4) ? nil : try rows.integer(row, 4),
            ids: try rows.integers(row, 5)
        )
    }
}
