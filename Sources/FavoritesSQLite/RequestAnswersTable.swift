internal import GRDB
internal import MarvelDomain

/// The table of answers to requests, so that a repeated request gets the same answer and changes nothing.
///
/// While there are no principals, all callers are one, whose name is empty.
enum RequestAnswersTable {
    enum Finding {
        /// The request is new, or so old that its answer is deleted.
        case none
        case answer(ToggleResult)
        /// The id was used before with other contents.
        case otherContents
    }

    /// Finds the answer to an earlier request of the same id.
    ///
    /// - Throws: `DamagedRecord` if the answer differs from what was written.
    static func find(_ toggle: Toggle, _ requestID: RequestID, in db: Database) throws -> Finding {
        let statement = try db.cachedStatement(
            sql: """
                SELECT principal, request_id, list, character_id, desired, is_favorite, revision, evicted, history,
                    created_at, checksum
                FROM answers WHERE principal = '' AND request_id = ?
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [requestID.text]) else { return .none }
        let values = try row.verifiedValues()
        guard try values[2].decoded() == toggle.list.text, try values[3].decoded() == toggle.characterID,
            try values[4].decoded() == toggle.desired.storedText
        else { return .otherContents }
        let revision = try values[6].decoded(Int64.self)
        let evicted = values[7].isNull ? nil : try values[7].decoded(String.self)
        let history = HistoryID(try values[8].decoded())
        return .answer(
            ToggleResult(
                isFavorite: try values[5].decoded(),
                revision: revision,
                evicted: try evicted.map(FavoriteSnapshot.favorites) ?? [],
                place: FavoritesPlace(list: toggle.list, history: history, revision: revision)
            )
        )
    }

    /// Adds an answer. `evicted` is the JSON of the favorites that the answer names as evicted; nil if there are none.
    static func insert(
        _ answer: ToggleResult,
        evicted: String?,
        to toggle: Toggle,
        _ requestID: RequestID,
        history: HistoryID,
        at now: Timestamp,
        in db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO answers
                    (principal, request_id, list, character_id, desired, is_favorite, revision, evicted, history,
                    created_at, checksum)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        let values: [any DatabaseValueConvertible] = [
            "", requestID.text, toggle.list.text, toggle.characterID, toggle.desired.storedText, answer.isFavorite,
            answer.revision, evicted?.databaseValue ?? .null, history.value, now.seconds,
        ]
        var row = values.map(\.databaseValue)
        row.append(RowChecksum.of(row).databaseValue)
        try statement.execute(arguments: StatementArguments(row))
    }

    /// Deletes answers that need not be kept. It examines only the `limit` oldest, so that a commit's work is bounded.
    ///
    /// Sequence numbers have gaps only if a clock went back, and then the store seems to hold more answers than it
    /// does. For the same reason an age may be negative: such an answer is deleted only when there are too many.
    static func prune(limit: Int, keeping retention: AnswerRetention, at now: Timestamp, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                DELETE FROM answers WHERE sequence IN (
                    SELECT sequence
                    FROM (SELECT sequence, :now - created_at AS age FROM answers ORDER BY sequence LIMIT :limit)
                    WHERE age > :maximumAge
                        OR (abs(age) > :minimumAge
                            AND sequence <= (SELECT max(sequence) FROM answers) - :maximumCount)
                )
                """
        )
        try statement.execute(arguments: [
            "now": now.seconds, "limit": limit, "maximumAge": retention.maximumAge,
            "minimumAge": retention.minimumAge, "maximumCount": retention.maximumCount,
        ])
    }
}

extension Toggle.Desired {
    fileprivate var storedText: String {
        switch self {
        case .toggle: "toggle"
        case .saved: "saved"
        case .removed: "removed"
        }
    }
}
