/// The tables, sequences and functions that a server uses. Without one of them it would fail some calls, so it does not start.
enum SchemaParts {
    struct Table {
        let name: String
        /// The rights that the role of a server needs.
        let rights: [String]
        let columns: [String]
        /// Whether this version uses it.
        let isUsed: Bool

        init(_ name: String, _ rights: String, columns: String, isUsed: Bool = true) {
            self.name = name
            self.isUsed = isUsed
            self.rights = rights.split(separator: ", ").map(String.init)
            self.columns = columns.split(separator: ", ").map(String.init)
        }
    }

    private static let allRights = "SELECT, INSERT, UPDATE, DELETE"
    private static let edit =
        "kind, name, description, comic_count, series_count, story_count, event_count, urls, edited_at"

    static let tables = [
        Table(
            "answers",
            allRights,
            columns: "principal, request_id, history, list, character_id, desired, is_favorite, revision, evicted, "
                + "created_at, number"
        ),
        Table("changes", "SELECT, INSERT, DELETE", columns: "list, revision, digest, change, xid"),
        Table("edit_pictures", allRights, columns: "character_id, media_type, bytes, checksum"),
        Table(
            "edit_requests",
            "SELECT, INSERT, DELETE",
            columns: "principal, request_id, digest, character_id, created_at",
            isUsed: false
        ),
        Table("edits", "SELECT, INSERT, UPDATE", columns: "character_id, \(edit), revision, checksum"),
        Table("favorites", allRights, columns: "list, character_id, saved_revision, snapshot, checksum"),
        Table("lists", allRights, columns: "name, owner, deletion, revision, digest, ids, checksum"),
        Table(
            "meta",
            "SELECT, UPDATE",
            columns: "id, version, minimum, history, base, capacity, system_id, timeline, is_synchronous"
        ),
        Table("pictures", allRights, columns: "character_id, media_type, is_placeholder, bytes, fetched_at"),
    ]

    private static let sequences = ["deletions"]

    static let functions = [
        "drop_deleted_names_2", "edit_checksum_1", "edit_picture_checksum_1", "favorite_checksum_1",
        "list_checksum_1", "next_digest_1", "refuse_row_1", "renew_history_1", "set_edit_checksum_1",
        "set_edit_picture_checksum_1",
    ]

    /// Throws an error that names the missing parts.
    static func require(_ connection: PostgresConnection) throws(DatabaseFault) {
        let tables = tables.filter(\.isUsed)
        let missing = try connection.run(
            .missingParts,
            tables.map(\.name) + sequences,
            tables.flatMap { table in table.columns.map { _ in table.name } },
            tables.flatMap(\.columns),
            functions
        ).texts(0)
        guard !missing.isEmpty else { return }
        throw DatabaseFault.notAllowed("the schema marvel lacks \(missing.joined(separator: ", ")): restore a backup")
    }
}

/// The rights that the role of a server needs: to read and write rows, and to call functions, but not to change the schema.
enum Rights {
    static func grants(to role: String) -> String {
        let role = "\"\(role.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
        let onTables = SchemaParts.tables.map { table in
            "GRANT \(table.rights.joined(separator: ", ")) ON marvel.\(table.name) TO \(role);"
        }
        return """
            GRANT USAGE ON SCHEMA marvel TO \(role);
            \(onTables.joined(separator: "\n"))
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA marvel TO \(role);
            GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA marvel TO \(role);
            """
    }

    /// Throws an error that names the missing rights of the connection's role, and the command that grants them.
    static func require(_ connection: PostgresConnection) throws(DatabaseFault) {
        let tables = SchemaParts.tables.filter(\.isUsed)
        let missing = try connection.run(
            .missingRights,
            tables.flatMap { table in table.rights.map { _ in table.name } },
            tables.flatMap(\.rights)
        ).texts(0)
        guard !missing.isEmpty else { return }
        let role = try connection.run(.currentRole).text(0, 0)
        throw DatabaseFault.notAllowed(
            "the role \(role) lacks \(missing.joined(separator: ", ")): the owner of the schema can grant it with "
                + "`marvel-server migrate ADDRESS --grant \(role)`"
        )
    }

    /// Grants the rights on new parts to the roles that have rights on the schema.
    static func renew(_ connection: PostgresConnection) throws(DatabaseFault) {
        for role in try connection.run(.grantedRoles).texts(0) { try connection.execute(grants(to: role)) }
    }
}

extension Statement {
    /// Parameters: tables and sequences; the table of each column, and the column; functions.
    fileprivate static let missingParts: Statement = """
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
        """

    static let currentRole: Statement = "SELECT current_user::text"

    /// Parameters: tables, and a right on each.
    fileprivate static let missingRights: Statement = """
        SELECT 'USAGE on schema marvel' WHERE NOT has_schema_privilege('marvel', 'USAGE')
        UNION ALL
        SELECT r.privilege || ' on marvel.' || c.relname
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        JOIN unnest($1, $2) AS r (relation, privilege) ON r.relation = c.relname
        WHERE n.nspname = 'marvel' AND NOT has_table_privilege(c.oid, r.privilege)
        UNION ALL
        SELECT 'USAGE on marvel.' || c.relname
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        -- The order of conditions is the planner's, and the function accepts only sequences.
        WHERE n.nspname = 'marvel'
            AND CASE WHEN c.relkind = 'S' THEN NOT has_sequence_privilege(c.oid, 'USAGE') ELSE false END
        UNION ALL
        SELECT 'EXECUTE on marvel.' || p.proname
        FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
        WHERE n.nspname = 'marvel' AND NOT has_function_privilege(p.oid, 'EXECUTE')
        ORDER BY 1
        """

    fileprivate static let grantedRoles: Statement = """
        SELECT DISTINCT r.rolname::text
        FROM pg_catalog.pg_namespace AS n, aclexplode(n.nspacl) AS a JOIN pg_catalog.pg_roles AS r ON r.oid = a.grantee
        WHERE n.nspname = 'marvel' AND a.privilege_type = 'USAGE' AND a.grantee <> n.nspowner
        """
}
