import RPCCore
import Testing

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("127.0.0.1:6160", ServerAddress.tcp(host: "127.0.0.1", port: 6160)),
        ("localhost:0", .tcp(host: "localhost", port: 0)),
        ("example.org:65535", .tcp(host: "example.org", port: 65_535)),
        ("example.org:0080", .tcp(host: "example.org", port: 80)),
        ("[::1]:6160", .tcp(host: "::1", port: 6160)),
        ("[fe80::1%eth0]:1", .tcp(host: "fe80::1%eth0", port: 1)),
        ("unix:/run/marvel.sock", .unix(path: "/run/marvel.sock")),
        ("unix:marvel.sock", .unix(path: "marvel.sock")),
        ("unix:/run/a:6160", .unix(path: "/run/a:6160")),
    ])
    func anAddressIsReadFromItsText(_ text: String, _ address: ServerAddress) {
        #expect(ServerAddress(text) == address)
    }

    @Test(arguments: [
        "", ":", "6160", "localhost", "localhost:", ":6160", "localhost:65536", "localhost:99999999999999999999",
        "localhost:-0", "localhost:-1", "localhost:+80", "localhost:80 ", "localhost: 80", "localhost:http",
        "localhost:8٠", "::1", "::1:6160", "[::1]", "[::1", "[]:6160", "[::1:6160", "::1]:6160", "[[a]]:1", "[a:1",
        "unix:", "http://localhost:6160",
    ])
    func anotherTextIsNotAnAddress(_ text: String) {
        #expect(ServerAddress(text) == nil)
    }

    @Test(arguments: ["127.0.0.1:6160", "[::1]:1", "example.org:443", "unix:/run/marvel.sock", "unix:a:1"])
    func theDescriptionIsTheTextAgain(_ text: String) {
        #expect(ServerAddress(text)?.description == text)
    }

    @Test(arguments: [
        ("127.0.0.1:1", true), ("127.255.0.9:1", true), ("localhost:1", true), ("[::1]:1", true), ("unix:/a", true),
        ("[::ffff:127.0.0.1]:1", true), ("[::ffff:10.0.0.1]:1", false),
        ("0.0.0.0:1", false), ("[::]:1", false), ("10.0.0.127:1", false), ("example.org:1", false),
        ("127.example.org:1", false), ("127.0.0.1.example.org:1", false), ("127.0.0:1", false),
        ("127.0.0.256:1", false),
    ])
    func onlyLoopbackAndUnixSocketsAreLocal(_ text: String, _ isLocal: Bool) {
        #expect(ServerAddress(text)?.isLocal == isLocal)
    }

    private static let authorities: [(String?, Bool)] = [
        (nil, true), ("", true), ("localhost", true), ("LOCALHOST:80", true), ("a.localhost:80", true),
        ("127.0.0.1:6162", true), ("[::1]", true), ("[::1]:6162", true), ("[::ffff:127.0.0.1]:80", true),
        ("[0:0::1]:80", true), ("example.org", false), ("127.0.0.1.example.org", false), ("[::1].example.org", false),
        ("[::1", false), ("[::ffff:10.0.0.1]", false), ("a@localhost", false), ("localhost:x@evil.example", false),
        ("10.0.0.1:80", false), ("localhost.example.org", false),
    ]

    @Test(arguments: authorities)
    func aRequestNamesThisMachine(_ authority: String?, _ isLoopback: Bool) {
        #expect(ServerAddress.isLoopback(authority: authority) == isLoopback)
    }
}
