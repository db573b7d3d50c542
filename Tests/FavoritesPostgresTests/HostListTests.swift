internal import Testing

@testable internal import FavoritesPostgres

struct HostListTests {
    /// Names, addresses and ports of a list, and the hosts of it.
    @Test(
        arguments: [
            (["a,b", "", "5432"], [["a", "", "5432"], ["b", "", "5432"]]),
            (["a,b", "", ","], [["a", "", "5432"], ["b", "", "5432"]]),
            (["a,b", "", ""], [["a", "", "5432"], ["b", "", "5432"]]),
            (["a,b,c", "", "6000,,"], [["a", "", "6000"], ["b", "", "5432"], ["c", "", "5432"]]),
            (["a,b", "", "6000,6001"], [["a", "", "6000"], ["b", "", "6001"]]),
            (["a,a", "", "6000,6001"], [["a", "", "6000"], ["a", "", "6001"]]),
            (["a,b", "10.0.0.1,10.0.0.2", "5432"], [["a", "10.0.0.1", "5432"], ["b", "10.0.0.2", "5432"]]),
            (["", "10.0.0.1,10.0.0.2", "5432"], [["", "10.0.0.1", "5432"], ["", "10.0.0.2", "5432"]]),
            (["/a,/b", "", "5432"], [["/a", "", "5432"], ["/b", "", "5432"]]),
            // Those that libpq has to take as they are.
            (["a,b", ",10.0.0.2", "5432"], []), (["a,", "", "5432"], []), (["a,b", "", "1,2,3"], []),
            (["a,b", "10.0.0.1", "5432"], []), (["a", "", "5432"], []), (["", "", "5432"], []), (["", "", ""], []),
        ] as [([String], [[String]])]
    )
    func aListIsSplitIntoHosts(_ list: [String], _ hosts: [[String]]) {
        let all = HostList(names: list[0], addresses: list[1], ports: list[2])
        #expect(all.hosts.map { [$0.names, $0.addresses, $0.ports] } == hosts)
    }

    @Test(
        arguments: [
            ("postgresql://a:1,b:2/x", ["a,b", "", "1,2"]),
            ("postgresql:///x?host=/a,/b&port=6000", ["/a,/b", "", "6000"]),
            ("postgresql://a/x?hostaddr=10.0.0.1&target_session_attrs=any", ["a", "10.0.0.1", ""]),
            ("postgresql://a/x?service=none", ["", "", ""]),
        ]
    )
    func theHostsAreReadFromTheAddress(_ text: String, _ list: [String]) throws {
        let hosts = HostList(of: try DatabaseAddress(text))
        #expect([hosts.names, hosts.addresses, hosts.ports == "5432" ? "" : hosts.ports] == list)
    }
}
