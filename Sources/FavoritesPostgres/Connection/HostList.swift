internal import CPostgres

/// The hosts of an address in the form of libpq: lists of the same length, separated by commas.
struct HostList: Equatable {
    /// Names, or the folders of sockets.
    var names: String
    /// Numeric addresses; empty if libpq finds them by the names.
    var addresses: String
    /// A port for each host, or one for all. Some may be empty, which is the usual one.
    var ports: String

    /// The port of a host for which none is named. It is always named in what is left: libpq takes an empty list for none
    /// given, and would keep that of the address.
    private static let defaultPort = "5432"

    /// Returns the other hosts.
    ///
    /// - Parameters:
    ///   - host: The name of a host, or its address if it has none.
    ///   - port: Its port.
    /// - Returns: The list without it; nil if there is no other one.
    func without(_ host: String, port: String) -> HostList? {
        let (names, addresses, ports) = (names.entries, addresses.entries, ports.entries)
        func entry(_ list: [String], _ index: Int) -> String { list.indices.contains(index) ? list[index] : "" }
        func portOfHost(_ index: Int) -> String {
            let port = entry(ports, ports.count == 1 ? 0 : index)
            return port.isEmpty ? Self.defaultPort : port
        }
        let all = 0..<max(names.count, addresses.count)
        let others = all.filter { index in
            let name = entry(names, index).isEmpty ? entry(addresses, index) : entry(names, index)
            return name != host || portOfHost(index) != port
        }
        guard !others.isEmpty, others.count < all.count else { return nil }
        let left = HostList(
            names: names.isEmpty ? "" : others.map { entry(names, $0) }.joined(separator: ","),
            addresses: addresses.isEmpty ? "" : others.map { entry(addresses, $0) }.joined(separator: ","),
            ports: others.map(portOfHost).joined(separator: ",")
        )
        // An empty list cannot be given in place of one.
        return left.names.isEmpty != names.isEmpty || left.addresses.isEmpty != addresses.isEmpty ? nil : left
    }
}

extension HostList {
    /// Reads the hosts that a connection was made for, wherever they were named.
    init(of connection: OpaquePointer) {
        self.init(names: "", addresses: "", ports: "")
        guard let options = PQconninfo(connection) else { return }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let value = option.pointee.val.map { String(cString: $0) } ?? ""
            switch String(cString: keyword) {
            case "host": names = value
            case "hostaddr": addresses = value
            case "port": ports = value
            default: break
            }
            option += 1
        }
    }
}

extension String {
    /// The entries of a list, of which some may be empty.
    fileprivate var entries: [String] {
        isEmpty ? [] : split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
