import NIOCore
import RPCCore
import Testing

@Suite struct PeerAddressTests {
    @Test(arguments: [
        ("127.0.0.1", PeerAddress.loopback), ("127.255.0.9", .loopback), ("::1", .loopback),
        ("::ffff:127.0.0.1", .loopback), ("::ffff:7f00:1", .loopback), ("0:0:0:0:0:0:0:1", .loopback),
        ("192.0.2.7", .ipv4(0xC000_0207)), ("::ffff:192.0.2.7", .ipv4(0xC000_0207)), ("0.0.0.0", .ipv4(0)),
        ("2001:db8:1:2:3:4:5:6", .ipv6Network(0x2001_0DB8_0001_0002)), ("2001:db8::1", .ipv6Network(0x2001_0DB8 << 32)),
        ("fe80::1", .ipv6Network(0xFE80 << 48)), ("::", .ipv6Network(0)), ("::2", .ipv6Network(0)),
        ("::127.0.0.1", .ipv6Network(0)), ("1::ffff:7f00:1", .ipv6Network(1 << 48)),
    ])
    func anAddressIsItsHost(_ text: String, _ expected: PeerAddress) throws {
        #expect(PeerAddress(try SocketAddress(ipAddress: text, port: 1)) == expected)
        #expect(PeerAddress(host: text) == expected)
    }

    @Test(arguments: ["", "localhost", "127.0.0", "127.0.0.256", "127.example.org", "[::1]", "::1 "])
    func anotherTextIsNotAnAddress(_ text: String) {
        #expect(PeerAddress(host: text) == nil)
    }

    @Test func aUnixSocketHasNoHost() throws {
        #expect(PeerAddress(try SocketAddress(unixDomainSocketPath: "/tmp/x")) == nil)
        #expect(PeerAddress(nil) == nil)
    }
}
