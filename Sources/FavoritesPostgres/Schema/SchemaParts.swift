/// The tables with their columns, the sequences and the functions that a server uses.
///
/// A database that lacks one of them was damaged, or restored in part. A server of it would answer some calls and fail
/// others, so it does not start.
enum SchemaParts {
    static let columns = [
        "answers": [
            "principal", "request_id", "history", "list", "character_id", "desired", "is_favorite", "revision",
            "evicted",
            "created_at", "number",
        ],
        "changes": ["list", "revision", "digest", "change", "xid"],
        "edit_pictures": ["character_id", "media_type", "bytes", "checksum"],
        "edit_requests": ["principal", "request_id", "digest", "character_id", "created_at"],
        "edits": [
            "character_id", "kind", "name", "description", "comic_count", "series_count", "story_count", "event_count",
            "urls", "edited_at", "revision", "checksum",
        ],
        "favorites": ["list", "character_id", "saved_revision", "snapshot", "checksum"],
        "lists": ["name", "owner", "deletion", "revision", "digest", "ids", "checksum"],
        "meta": [
            "id", "version", "minimum", "history", "base", "capacity", "system_id", "timeline", "is_synchronous",
        ],
        "pictures": ["character_id", "media_type", "is_placeholder", "bytes", "fetched_at"],
    ]

    static let sequences = ["deletions"]

    static let functions = [
        "drop_deleted_names_2", "edit_checksum_1", "edit_picture_checksum_1", "favorite_checksum_1",
        "list_checksum_1", "next_digest_1", "refuse_row_1", "renew_history_1", "set_edit_checksum_1",
        "set_edit_picture_checksum_1",
    ]

    /// Throws an error that names the parts which the database lacks.
    static func require(_ connection: PostgresConnection) throws(DatabaseFault) {
        let tables = columns.sorted { $0.key < $1.key }
        var parameters = Parameters()
        parameters.add(tables.map(\.key) + sequences)
        parameters.add(tables.flatMap { table, columns in columns.map { _ in table } })
        parameters.add(tables.flatMap(\.value))
        parameters.add(functions)
        let rows = try connection.run(.missingParts, parameters)
        guard rows.count > 0 else { return }
        var missing: [String] = []
        for row in 0..<rows.count { missing.append(try rows.text(row, 0)) }
        throw DatabaseFault(
            kind: .notAllowed,
            message: "the schema marvel lacks \(missing.joined(separator: ", ")): restore a backup"
        )
    }
}

extension Statement {
    /// The parts that are missing, each in a row. Columns are named where their table is there. Parameters: tables and
    /// sequences; the table of each column, and the column; functions.
    fileprivate static let missingParts = Statement(
        name: "missing_parts",
        text: """
            WITH relations AS (
                SELECT c.oid, c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = 'marvel' AND c.relkind IN ('r', 'p', 'S')
            )
            SELECT 'marvel.' || wanted.name FROM unnest($1) AS wanted (name)
            WHERE NOT EXISTS (SELECT FROM relations WHERE relname = wanted.name)
            UNION ALL
            SELECT 'marvel.' || wanted.relation || '.' || wanted.name FROM unnest($2, $3) AS wanted (relation, name)
            JOIN relations AS r ON r.relname = wanted.relation
            WHERE NOT EXISTS (
                SELECT FROM pg_catalog.pg_attribute AS a
                WHERE a.attrelid = r.oid AND a.attname = wanted.name AND a.attnum > 0 AND NOT a.attisdropped
            )
            UNION ALL
            SELECT 'marvel.' || wanted.name || '()' FROM unnest($4) AS wanted (name)
            WHERE NOT EXISTS (
                SELECT FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
                WHERE n.nspname = 'marvel' AND p.proname = wanted.name
            )
            ORDER BY 1
            """,
        isPrepared: false
    )
}
