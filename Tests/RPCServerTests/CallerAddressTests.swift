import NIOCore
import RPCCore
import RPCServer
import Testing

/// The quotas of addresses, by `PeerAddress`.
@Suite struct CallerAddressTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.8", false), ("192.0.2.7", "192.0.2.7", true), ("::ffff:192.0.2.7", "192.0.2.7", true),
        ("2001:db8::1", "2001:db8::ffff", true), ("2001:db8::1", "2001:db8:0:1::1", false),
    ]) func addressesOfOneHostAreOneCaller(first: String, second: String, isSame: Bool) throws {
        let callers = try [first, second].map { CallerAccounts.Caller(try SocketAddress(ipAddress: $0, port: 1)) }
        #expect(callers[0] != nil)
        #expect((callers[0] == callers[1]) == isSame)
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    func thisMachinesOwnAddressesHaveNoQuota(address: String) throws {
        #expect(CallerAccounts.Caller(try SocketAddress(ipAddress: address, port: 1)) == nil)
    }

    @Test func unixSocketsHaveNoQuota() throws {
        #expect(CallerAccounts.Caller(try SocketAddress(unixDomainSocketPath: "/tmp/x")) == nil)
        #expect(CallerAccounts.Caller(nil) == nil)
    }
}
