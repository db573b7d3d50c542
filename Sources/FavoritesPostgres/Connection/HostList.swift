internal import CPostgres
internal import Glibc

/// The hosts of an address in the form of libpq: lists of the same length, separated by commas.
struct HostList: Equatable {
    /// Names, or the folders of sockets.
    var names: String
    /// Numeric addresses; empty if libpq finds them by the names.
    var addresses: String
    /// A port for each host, or one for all. Some may be empty, which is the usual one.
    var ports: String

    /// The port of a host for which none is named. It is always named: libpq takes an empty list for none given, and would
    /// keep that of the address.
    private static let defaultPort = "5432"

    /// A list for each host. It is empty if there is only one, or if one cannot be given alone: an empty list of names or of
    /// addresses does not replace that of the address.
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
    /// Reads the hosts of an address, or of the places where libpq looks for those that it does not name.
    init(of address: DatabaseAddress) {
        self.init(names: "", addresses: "", ports: "")
        // libpq has no function for it. The invalid value keeps it from connecting.
        let parameters: [(String, String)] = [("dbname", address.text), ("target_session_attrs", "none")]
        var keywords = parameters.map { UnsafePointer(strdup($0.0)) } + [nil]
        var values = parameters.map { UnsafePointer(strdup($0.1)) } + [nil]
        defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
        guard let connection = PQconnectStartParams(&keywords, &values, 1) else { return }
        defer { PQfinish(connection) }
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
    fileprivate var entries: [String] {
        isEmpty ? [] : split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
