/// The rights that the role of a server needs on the schema: to read and write rows, and to call functions. It needs none to
/// change the schema.
enum Rights {
    private static let tables = [
        "answers": ["SELECT", "INSERT", "UPDATE", "DELETE"], "changes": ["SELECT", "INSERT", "DELETE"],
        "edit_pictures": ["SELECT", "INSERT", "UPDATE", "DELETE"], "edit_requests": ["SELECT", "INSERT", "DELETE"],
        "edits": ["SELECT", "INSERT", "UPDATE"],
        "favorites": ["SELECT", "INSERT", "UPDATE", "DELETE"], "lists": ["SELECT", "INSERT", "UPDATE", "DELETE"],
        "meta": ["SELECT", "UPDATE"], "pictures": ["SELECT", "INSERT", "UPDATE", "DELETE"],
    ]

    /// The statements that give a role these rights. They may be run again.
    static func grants(to role: String) -> String {
        let role = "\"\(role.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
        let onTables = tables.sorted { $0.key < $1.key }.map { table, rights in
            "GRANT \(rights.joined(separator: ", ")) ON marvel.\(table) TO \(role);"
        }
        return """
            GRANT USAGE ON SCHEMA marvel TO \(role);
            \(onTables.joined(separator: "\n"))
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA marvel TO \(role);
            GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA marvel TO \(role);
            """
    }

    /// Throws an error that names the rights which the connection's role lacks, and the command that gives them.
    static func require(_ connection: PostgresConnection) throws(DatabaseFault) {
        var parameters = Parameters()
        let rights = tables.flatMap { table, rights in rights.map { (table, $0) } }
        parameters.add(rights.map(\.0))
        parameters.add(rights.map(\.1))
        let rows = try connection.run(.missingRights, parameters)
        guard rows.count > 0 else { return }
        var missing: [String] = []
        for row in 0..<rows.count { missing.append(try rows.text(row, 1)) }
        let role = try rows.text(0, 0)
        throw DatabaseFault(
            kind: .notAllowed,
            message:
                "the role \(role) lacks \(missing.joined(separator: ", ")): the owner of the schema can grant it with "
                + "`marvel-server migrate ADDRESS --grant \(role)`"
        )
    }

    /// Gives the roles that have some rights on the schema those that steps of the schema have added.
    static func renew(_ connection: PostgresConnection) throws(DatabaseFault) {
        let rows = try connection.run(.grantedRoles)
        for row in 0..<rows.count { try connection.execute(grants(to: rows.text(row, 0))) }
    }
}

extension Statement {
    /// The role of the connection, and a right that it lacks, in each row. Parameters: tables, and a right on each.
    static let missingRights = Statement(
        name: "missing_rights",
        text: """
            SELECT current_user::text, m.missing FROM (
                SELECT 'USAGE on schema marvel' AS missing WHERE NOT has_schema_privilege('marvel', 'USAGE')
                UNION ALL
                SELECT r.privilege || ' on marvel.' || c.relname
                FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                JOIN unnest($1, $2) AS r (relation, privilege) ON r.relation = c.relname
                WHERE n.nspname = 'marvel' AND NOT has_table_privilege(c.oid, r.privilege)
                UNION ALL
                SELECT 'USAGE on marvel.' || c.relname
                FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                -- The order of conditions is the planner's, and the function refuses what is no sequence.
                WHERE n.nspname = 'marvel'
                    AND CASE WHEN c.relkind = 'S' THEN NOT has_sequence_privilege(c.oid, 'USAGE') ELSE false END
                UNION ALL
                SELECT 'EXECUTE on marvel.' || p.proname
                FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
                WHERE n.nspname = 'marvel' AND NOT has_function_privilege(p.oid, 'EXECUTE')
            ) AS m ORDER BY m.missing
            """,
        isPrepared: false
    )

    /// The roles that were given the use of the schema.
    static let grantedRoles = Statement(
        name: "granted_roles",
        text: """
            SELECT DISTINCT r.rolname::text
            FROM pg_catalog.pg_namespace AS n, aclexplode(n.nspacl) AS a JOIN pg_catalog.pg_roles AS r ON r.oid = a.grantee
            WHERE n.nspname = 'marvel' AND a.privilege_type = 'USAGE' AND a.grantee <> n.nspowner
            """,
        isPrepared: false
    )
}
