package import MarvelDomain

/// An empty database, to which the records of a store are written in one transaction.
package final class DatabaseTarget {
    private let connection: PostgresConnection
    private var batch = RecordBatch()

    /// Writes a store, and commits it when it is verified.
    ///
    /// - Parameters:
    ///   - address: The database. The schema is made if it is not there; an existing store must be empty.
    ///   - facts: The facts of the store whose records are written.
    ///   - capacity: The number of favorites that a list may hold.
    ///   - beginsHistory: Whether the store gets a new history, because the records are those of a backup.
    ///   - body: Writes the records.
    /// - Returns: The contents of the store.
    /// - Throws: `FavoritesDatabaseError`, or the error of `body`; then the store is still empty.
    package static func write(
        to address: DatabaseAddress,
        _ facts: StoredFacts,
        capacity: Int,
        beginsHistory: Bool,
        _ body: (DatabaseTarget) throws -> Void
    ) throws -> StoreReport {
        guard ListRules.capacities.contains(capacity), facts.longestList <= capacity else {
            throw FavoritesDatabaseError(
                .invalidSetting,
                "the longest list has \(facts.longestList) favorites, so the capacity must be "
                    + "\(max(1, facts.longestList)) to 100, not \(capacity)"
            )
        }
        return try FavoritesDatabaseError.converting(address) {
            let connection = try PostgresConnection.forOperator(address)
            try connection.requireNoServer()
            try SchemaMigration.migrate(connection, capacity: capacity)
            return try connection.committed {
                try prepare(connection, facts, capacity)
                let target = DatabaseTarget(connection)
                try body(target)
                try target.batch.flush(connection)
                try connection.run(.setDeletions)
                if beginsHistory { try connection.execute(Statement.renewHistory(facts.history, floor: 0)) }
                let report = try DatabaseCheck.audit(connection)
                guard report.isWhole else {
                    let problems = report.problems.joined(separator: "; ")
                    let message = "the copy failed its check and was deleted: \(problems)"
                    throw DatabaseFault(kind: .malformed, message: message)
                }
                try connection.requireNoServer()
                return report
            }
        }
    }

    private static func prepare(
        _ connection: PostgresConnection,
        _ facts: StoredFacts,
        _ capacity: Int
    ) throws(DatabaseFault) {
        guard try connection.run(.lockOutWriters).boolean(0, 0), try connection.run(.isEmpty).boolean(0, 0) else {
            throw DatabaseFault.notAllowed(
                "the store in the database is not empty: use an empty database, or drop the schema marvel"
            )
        }
        try connection.run(.setFacts, facts.history.value, facts.base, capacity)
    }

    private init(_ connection: PostgresConnection) { self.connection = connection }

    package func write(_ record: StoreRecord) throws {
        switch record {
        case .list(let list): batch.add(list)
        case .answer(let answer): batch.add(answer)
        case .edit(let edit):
            let (edited, picture) = try EditedCharacter.read(edit)
            let tables = DatabaseEditTables(connection: connection, now: edited.editedAt)
            try tables.put(edited, picture.map { .set($0) })
        }
        if batch.isFull { try batch.flush(connection) }
    }

    /// Writes a picture of a favorite, which each server pins in its own cache.
    package func write(_ picture: KeptPicture) throws {
        try connection.run(
            .insertPicture,
            picture.id,
            picture.picture.mediaType.rawValue,
            picture.picture.isPlaceholder ? 1 : 0,
            picture.picture.bytes,
            picture.fetchedAt.seconds
        )
    }
}

/// Records that are written together, with one statement for each table.
private struct RecordBatch {
    /// The maximum number of rows and of bytes that wait. One list more may come in addition.
    private static let (maximumCount, maximumBytes) = (2_000, 4 << 20)

    private var lists: [(record: StoreRecord.List, digest: Int64)] = []
    private var favorites: [(list: ListName, record: StoreRecord.Favorite)] = []
    private var changes: [(list: ListName, record: StoreRecord.Change, digest: Int64)] = []
    private var answers: [StoreRecord.Answer] = []
    private var byteCount = 0

    var isFull: Bool {
        lists.count + favorites.count + changes.count + answers.count >= Self.maximumCount
            || byteCount >= Self.maximumBytes
    }

    mutating func add(_ list: StoreRecord.List) {
        var digest: Int64 = 0
        for change in list.changes {
            digest = DatabaseDigest.next(after: digest, revision: change.revision, text: change.text)
            changes.append((list.name, change, digest))
            byteCount += change.text.count
        }
        for favorite in list.favorites {
            favorites.append((list.name, favorite))
            byteCount += favorite.text.count
        }
        lists.append((list, digest))
    }

    mutating func add(_ record: StoreRecord.Answer) {
        answers.append(record)
        byteCount += record.evicted?.count ?? 0
    }

    mutating func flush(_ connection: PostgresConnection) throws(DatabaseFault) {
        if !lists.isEmpty {
            try connection.run(
                .insertNames,
                lists.map(\.record.name),
                lists.map(\.record.revision),
                lists.map(\.digest),
                lists.map { $0.record.owner.name ?? "" },
                lists.map { $0.record.deletion ?? 0 },
                lists.map { "{\($0.record.favorites.map { String($0.id) }.joined(separator: ","))}" }
            )
        }
        if !favorites.isEmpty {
            try connection.run(
                .insertFavorites,
                favorites.map(\.list),
                favorites.map(\.record.id),
                favorites.map(\.record.savedRevision),
                favorites.map(\.record.text)
            )
        }
        if !changes.isEmpty {
            try connection.run(
                .insertChanges,
                changes.map(\.list),
                changes.map(\.record.revision),
                changes.map(\.digest),
                changes.map(\.record.text)
            )
        }
        if !answers.isEmpty { try connection.run(.insertAnswers, answerParameters) }
        self = RecordBatch()
    }

    private var answerParameters: Parameters {
        let (parameters, columns) = (Parameters(), answers.map { AnswerColumns($0.answered) })
        let all = answers.indices
        parameters.add(all) { answers[$0].request.principal }
        parameters.add(all) { answers[$0].request.id.text }
        parameters.add(all) { answers[$0].history.value }
        parameters.add(all) { columns[$0].list }
        parameters.add(all) { columns[$0].characterID }
        parameters.add(all) { columns[$0].kind.stored }
        parameters.add(all) { columns[$0].flag ? 1 : 0 as Int16 }
        parameters.add(all) { columns[$0].revision }
        parameters.add(all) { answers[$0].evicted }
        parameters.add(all) { answers[$0].createdAt.seconds }
        return parameters
    }
}
