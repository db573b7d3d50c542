internal import CPostgres

extension PostgresConnection {
    // The hosts are tried one by one. libpq itself gives up at a proxy that accepts a connection and closes it, and takes the first
    // host that accepts changes, as an old primary does.

    /// Connects to the first host that accepts changes and that `verify` accepts, and blocks for at most 2 s for each host.
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

    fileprivate init(noneOf faults: [DatabaseFault]) {
        let kinds = faults.map(\.kind)
        let kind = kinds.first { $0 == .replaced } ?? (kinds.count == 1 ? kinds[0] : .notConnected)
        self.init(kind: kind, message: faults.map(\.message).joined(separator: "; "))
    }
}

/// The hosts of an address in the form of libpq: lists, separated by commas.
struct HostList: Equatable {
    /// Names, or the folders of sockets.
    var names: String
    /// Numeric addresses; empty if libpq finds them by the names.
    var addresses: String
    /// A port for each host, or one for all. An empty one stands for `defaultPort`.
    var ports: String

    /// libpq keeps the ports of the address if an empty list follows it.
    private static let defaultPort = "5432"

    /// A list for each host; none if there is only one, or if one cannot be named alone.
    var hosts: [HostList] {
        let (names, addresses, ports) = (names.entries, addresses.entries, ports.entries)
        let count = max(names.count, addresses.count)
        guard count > 1, [0, count].contains(names.count), [0, count].contains(addresses.count),
            [0, 1, count].contains(ports.count), !names.contains(""), !addresses.contains("")
        else { return [] }
        return (0..<count).map { index in
            let port = ports.isEmpty ? "" : ports[ports.count == 1 ? 0 : index]
            return HostList(
                names: names.isEmpty ? "" : names[index],
                addresses: addresses.isEmpty ? "" : addresses[index],
                ports: port.isEmpty ? Self.defaultPort : port
            )
        }
    }
}

extension HostList {
    /// Reads the hosts of an address, or those that libpq takes from the environment.
    init(of address: DatabaseAddress) {
        self.init(names: "", addresses: "", ports: "")
        // The invalid value keeps libpq from connecting.
        let parameters = [("dbname", address.text), ("target_session_attrs", "none")]
        guard let connection = withOptions(parameters, { PQconnectStartParams($0, $1, 1) }) else { return }
        defer { PQfinish(connection) }
        let options = PQconninfo(connection).map(values(of:)) ?? [:]
        names = options["host"] ?? ""
        addresses = options["hostaddr"] ?? ""
        ports = options["port"] ?? ""
    }
}

extension String {
    fileprivate var entries: [String] {
        isEmpty ? [] : split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
