/// The rights that the role of a server needs: to read and write rows, and to call functions, but not to change the schema.
enum Rights {
    static func grants(to role: String) -> String {
        let role = "\"\(role.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
        return """
            GRANT USAGE ON SCHEMA marvel TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA marvel TO \(role);
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA marvel TO \(role);
            GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA marvel TO \(role);
            """
    }

    /// Grants the rights on new parts to the roles that have rights on the schema.
    static func renew(_ connection: PostgresConnection) throws(DatabaseFault) {
        for role in try connection.run(.grantedRoles).texts(0) { try connection.execute(grants(to: role)) }
    }
}

extension Statement {
    static let currentRole: Statement = "SELECT current_user::text"

    fileprivate static let grantedRoles: Statement = """
        SELECT DISTINCT r.rolname::text
        FROM pg_catalog.pg_namespace AS n, aclexplode(n.nspacl) AS a JOIN pg_catalog.pg_roles AS r ON r.oid = a.grantee
        WHERE n.nspname = 'marvel' AND a.privilege_type = 'USAGE' AND a.grantee <> n.nspowner
        """
}
