internal import FavoritesEngine
internal import MarvelDomain
internal import SQLiteFiles

/// The table of answers to requests, with the statements of the writer. A repeated request gets the same answer and
/// changes nothing.
struct RequestAnswersTable {
    private let db: Database
    private let search: PreparedStatement
    private let insertion: PreparedStatement
    private let deletion: PreparedStatement

    init(_ db: Database) throws {
        self.db = db
        search = try db.prepare("SELECT 1 FROM answers WHERE principal = ? AND request_id = ?")
        insertion = try db.prepare(
            """
            INSERT INTO answers
                (principal, request_id, list, character_id, desired, is_favorite, revision, evicted, history,
                created_at, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        deletion = try db.prepare(
            """
            DELETE FROM answers WHERE sequence IN (
                SELECT sequence FROM answers WHERE sequence <= ? ORDER BY sequence LIMIT ?
            )
            """
        )
    }

    /// The answer of a request; nil for a new id, or a deleted answer.
    ///
    /// - Throws: `DamagedRecord` if the answer differs from the written one.
    func find(_ request: RequestKey) throws -> AnsweredRequest? {
        // Most ids are new: only an existing answer is read.
        guard try contains(request) else { return nil }
        let sql = "SELECT \(Self.columns) FROM answers WHERE principal = ? AND request_id = ?"
        return try db.first(sql, request.principal, request.id.text) { row in try Self.answer(row) }
    }

    func contains(_ request: RequestKey) throws -> Bool {
        var isKnown = false
        try search.run {
            $0.add(request.principal)
            $0.add(request.id.text)
        } forEachRow: { _ in
            isKnown = true
        }
        return isKnown
    }

    private static let columns = """
        principal, request_id, list, character_id, desired, is_favorite, revision, evicted, history, created_at, checksum
        """

    private static func answer(_ row: Row) throws -> AnsweredRequest {
        let values = try row.verifiedValues()
        guard let id = RequestID(try values[1].decoded()),
            let kind = AnswerColumns.Kind(stored: try values[4].decoded())
        else { throw DamagedRecord() }
        let columns = AnswerColumns(
            kind,
            list: try values[2].decoded(),
            characterID: try values[3].decoded(),
            flag: try values[5].decoded(),
            revision: try values[6].decoded()
        )
        let evicted = values[7].isNull ? [] : try FavoriteJSON.favorites(values[7].decoded())
        let (request, history) = (RequestKey(id, of: try values[0].decoded()), HistoryID(try values[8].decoded()))
        guard let answered = columns.answered(to: request, in: history, evicted: evicted) else { throw DamagedRecord() }
        return answered
    }

    /// `evicted` is the JSON of the evicted favorites in the answer, if any.
    ///
    /// - Returns: The number of the answer, the highest of all.
    @discardableResult
    func insert(
        _ answer: AnswerColumns,
        evicted: [UInt8]? = nil,
        _ request: RequestKey,
        history: HistoryID,
        at now: Timestamp
    ) throws -> Int64 {
        try insertion.run { values in
            var checksum = RowChecksum()
            func add(_ text: String) {
                values.add(text)
                checksum.add(text)
            }
            func add(_ number: Int64) {
                values.add(number)
                checksum.add(number)
            }
            add(request.principal)
            add(request.id.text)
            add(answer.list)
            add(answer.characterID)
            add(answer.kind.stored)
            add(answer.flag ? 1 : 0)
            add(answer.revision)
            if let evicted {
                values.add(utf8: evicted)
                checksum.add(utf8: evicted)
            } else {
                values.addNull()
                checksum.addNull()
            }
            add(history.value)
            add(now.seconds)
            values.add(checksum.value)
        }
        return db.lastInsertedRowID
    }

    /// Deletes the oldest answers up to a number, at most `limit`, so that a commit's work is bounded.
    func delete(through last: Int64, limit: Int) throws {
        guard last > 0 else { return }
        try deletion.run { values in
            values.add(last)
            values.add(Int64(limit))
        }
    }
}

extension AnswerColumns.Kind {
    /// The text in the column `desired`. A deletion has no character and no evicted favorites, and its `is_favorite` tells
    /// whether the list existed. An edit has no list: the column has the digest of the request.
    fileprivate var stored: String {
        switch self {
        case .toggle(.toggle): "toggle"
        case .toggle(.saved): "saved"
        case .toggle(.removed): "removed"
        case .deletion: "deleted"
        case .edit: "edited"
        }
    }

    fileprivate init?(stored text: String) {
        guard let kind = Self.all.first(where: { $0.stored == text }) else { return nil }
        self = kind
    }
}
