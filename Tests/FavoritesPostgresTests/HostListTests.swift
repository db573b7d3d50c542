internal import Testing

@testable internal import FavoritesPostgres

struct HostListTests {
    /// Names, addresses and ports of a list, the host that is left out, and those that are left.
    @Test(
        arguments: [
            (["a,b,c", "", "5432"], ["b", "5432"], ["a,c", "", "5432,5432"]),
            (["a,b", "", ","], ["a", "5432"], ["b", "", "5432"]),
            (["a,b,c", "", "6000,,"], ["a", "6000"], ["b,c", "", "5432,5432"]),
            (["a,b", ",10.0.0.2", "5432"], ["b", "5432"], []),
            (["a,b", "", "6000,6001"], ["a", "6000"], ["b", "", "6001"]),
            (["a,a", "", "6000,6001"], ["a", "6001"], ["a", "", "6000"]),
            (["a,a", "", ",6001"], ["a", "5432"], ["a", "", "6001"]),
            (["a,b", "10.0.0.1,10.0.0.2", "5432"], ["a", "5432"], ["b", "10.0.0.2", "5432"]),
            (["", "10.0.0.1,10.0.0.2", "5432"], ["10.0.0.1", "5432"], ["", "10.0.0.2", "5432"]),
            (["/a,/b", "", "5432"], ["/b", "5432"], ["/a", "", "5432"]),
            (["a", "", "5432"], ["a", "5432"], []), (["a,a", "", "5432"], ["a", "5432"], []),
            (["a,b", "", "5432"], ["c", "5432"], []), (["", "", "5432"], ["/run/postgresql", "5432"], []),
        ] as [([String], [String], [String])]
    )
    func aHostIsLeftOut(_ list: [String], _ host: [String], _ others: [String]) {
        let hosts = HostList(names: list[0], addresses: list[1], ports: list[2])
        let left = hosts.without(host[0], port: host[1])
        #expect(left.map { [$0.names, $0.addresses, $0.ports] } ?? [] == others)
    }
}
