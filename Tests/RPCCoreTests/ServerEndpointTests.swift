import RPCCore
import Testing

@Suite struct ServerEndpointTests {
    @Test(arguments: [
        ("127.0.0.1:6160", ServerEndpoint(.tcp(host: "127.0.0.1", port: 6160))),
        ("unix:/run/m.sock", ServerEndpoint(.unix(path: "/run/m.sock"))),
        ("grpc://127.0.0.1:6161", ServerEndpoint(.tcp(host: "127.0.0.1", port: 6161), wire: .grpc)),
        ("grpc://[::1]:6161", ServerEndpoint(.tcp(host: "::1", port: 6161), wire: .grpc)),
        ("grpc+unix:/run/g.sock", ServerEndpoint(.unix(path: "/run/g.sock"), wire: .grpc)),
        ("tls://a.example:6160", ServerEndpoint(.tcp(host: "a.example", port: 6160), isSecure: true)),
        ("grpcs://[::1]:1", ServerEndpoint(.tcp(host: "::1", port: 1), wire: .grpc, isSecure: true)),
        ("unix:grpc://a:1", ServerEndpoint(.unix(path: "grpc://a:1"))),
    ])
    func aServerIsReadFromItsTextAndWrittenTheSame(_ text: String, _ server: ServerEndpoint) {
        #expect(ServerEndpoint(text) == server)
        #expect(server.description == text)
    }

    @Test(arguments: [
        "", "grpc://", "grpc://host", "grpc://host:1/", "grpc://unix:/run/g.sock", "grpc+unix:", "grpc+host:1",
        "grpc:host:1", "GRPC://host:1", "grpcs://host", "tls://", "tls://unix:/a", "tls+unix:/a", "TLS://a:1",
        "http://host:1", "grpc:///run/g.sock",
    ])
    func whatIsNoServerIsNotRead(_ text: String) {
        #expect(ServerEndpoint(text) == nil)
    }
}
