/// A connection to the primary that serves the store.
extension PostgresConnection {
    /// Connects to the first host that accepts changes and that no other one has replaced, and blocks meanwhile: at most 2 s for
    /// each host.
    ///
    /// The hosts are tried one by one. libpq gives up at the first one that accepts a connection and closes it, as a proxy does
    /// whose server is gone; and it takes the first host that accepts changes, which an old primary does too.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - name: The name under which the server's administrator sees the connection.
    ///   - timeout: The maximum wait for the results of a statement.
    ///   - verify: Reads what the caller needs of a connection. If the host turns out to be of no use, the others are tried.
    /// - Returns: The connection, and what was read.
    /// - Throws: `.replaced` if there is only such a primary; or another fault.
    static func toPrimary<Result>(
        _ address: DatabaseAddress,
        name: String,
        timeout: Duration = PostgresConnection.statementTimeout,
        _ verify: (PostgresConnection) throws(DatabaseFault) -> Result
    ) throws(DatabaseFault) -> (PostgresConnection, Result) {
        let hosts = HostList(of: address).hosts
        var faults: [DatabaseFault] = []
        for host in hosts.isEmpty ? [nil] : hosts.map(Optional.some) {
            do throws(DatabaseFault) {
                let connection = try PostgresConnection(address, hosts: host, name: name, timeout: timeout)
                try connection.execute(Statement.session)
                return (connection, try verify(connection))
            } catch {
                guard error.isOfHost else { throw error }
                faults.append(error)
            }
        }
        throw DatabaseFault(noneOf: faults)
    }
}

extension DatabaseFault {
    /// Whether another host may do better.
    fileprivate var isOfHost: Bool {
        switch kind {
        case .notConnected, .replaced, .connectionLost: true
        case .server(let state): state.consequence == .reconnect
        case .malformed, .otherHistory, .behind, .damaged, .newerSchema, .notAllowed: false
        }
    }

    /// Creates the fault that no host can be used.
    ///
    /// - Parameter faults: The fault of each host, in their order.
    fileprivate init(noneOf faults: [DatabaseFault]) {
        let kinds = faults.map(\.kind)
        let kind = kinds.first { $0 == .replaced } ?? (kinds.count == 1 ? kinds[0] : .notConnected)
        self.init(kind: kind, message: faults.map(\.message).joined(separator: "; "))
    }
}
