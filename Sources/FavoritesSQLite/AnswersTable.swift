internal import GRDB
internal import MarvelDomain

/// What requests were answered, so that one sent again gets the same answer and changes nothing.
enum AnswersTable {
    enum Finding {
        /// The request is new, or so old that its answer is gone.
        case none
        case answer(ToggleResult)
        /// The id came before with other contents.
        case otherContents
    }

    static func find(_ toggle: Toggle, _ requestID: RequestID, in db: Database) throws -> Finding {
        let statement = try db.cachedStatement(
            sql: """
                SELECT list, character_id, desired, is_favorite, revision, evicted
                FROM answers WHERE request_id = ?
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [requestID.text]) else { return .none }
        guard row["list"] == toggle.list.text, row["character_id"] == toggle.characterID,
            row["desired"] == toggle.desired.storedText
        else { return .otherContents }
        let evicted: String? = row["evicted"]
        return .answer(
            ToggleResult(
                isFavorite: row["is_favorite"],
                revision: row["revision"],
                evicted: try evicted.map(FavoriteSnapshot.favorites) ?? []
            )
        )
    }

    /// `evicted` is what the answer names as such, as JSON; nil if nothing.
    static func insert(
        _ answer: ToggleResult,
        evicted: String?,
        to toggle: Toggle,
        _ requestID: RequestID,
        at now: Timestamp,
        in db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO answers
                    (request_id, list, character_id, desired, is_favorite, revision, evicted, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(arguments: [
            requestID.text, toggle.list.text, toggle.characterID, toggle.desired.storedText, answer.isFavorite,
            answer.revision, evicted, now.seconds,
        ])
    }

    /// Deletes what need not be kept, looking only at the `limit` oldest: a commit's work stays bounded.
    ///
    /// Sequence numbers have no gaps but where a clock went back, and then the store seems to hold more than it does.
    /// For the same reason an age may be negative: such an answer leaves only when there are too many.
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
