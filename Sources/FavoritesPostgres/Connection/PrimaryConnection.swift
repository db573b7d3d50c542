/// A connection to the primary that serves the store.
extension PostgresConnection {
    /// Connects to the first host that accepts changes and that no other one has replaced. libpq takes the first host that
    /// accepts changes, which an old primary does too.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - name: The name under which the server's administrator sees the connection.
    ///   - verify: Reads what the caller needs of a connection. If it throws `.replaced`, the other hosts are tried.
    /// - Returns: The connection, and what was read.
    /// - Throws: `.replaced` if there is only such a primary; or another fault.
    static func toPrimary<Result>(
        _ address: DatabaseAddress,
        name: String,
        _ verify: (PostgresConnection) throws(DatabaseFault) -> Result
    ) throws(DatabaseFault) -> (PostgresConnection, Result) {
        var hosts: HostList?
        while true {
            let connection = try PostgresConnection(address, hosts: hosts, name: name)
            try connection.execute(Statement.session)
            do throws(DatabaseFault) {
                return (connection, try verify(connection))
            } catch {
                guard error.kind == .replaced, let others = connection.otherHosts else { throw error }
                hosts = others
            }
        }
    }
}
