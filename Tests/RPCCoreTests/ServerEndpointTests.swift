import RPCCore
import Testing

@Suite struct ServerEndpointTests {
    @Test(arguments: [
        ("127.0.0.1:6160", ServerEndpoint(.tcp(host: "127.0.0.1", port: 6160))),
        ("unix:/run/m.sock", ServerEndpoint(.unix(path: "/run/m.sock"))),
        ("tls://a.example:6160", ServerEndpoint(.tcp(host: "a.example", port: 6160), isSecure: true)),
        ("tls://[::1]:1", ServerEndpoint(.tcp(host: "::1", port: 1), isSecure: true)),
        ("unix:tls://a:1", ServerEndpoint(.unix(path: "tls://a:1"))),
    ])
    func aServerIsReadFromItsTextAndWrittenTheSame(_ text: String, _ server: ServerEndpoint) {
        #expect(ServerEndpoint(text) == server)
        #expect(server.description == text)
    }

    @Test(arguments: [
        "", "grpc://", "grpc://host:1", "grpcs://host:1", "grpc+unix:/run/g.sock", "tls://", "tls://unix:/a",
        "tls+unix:/a", "TLS://a:1", "tls://host", "tls://host:1/", "http://host:1",
    ])
    func otherProgramsAreNotRead(_ text: String) {
        #expect(ServerEndpoint(text) == nil)
        #expect(throws: ServerEndpoint.Problem.self) { try ServerEndpoint(parsing: text) }
    }

    @Test(arguments: [
        ("http://127.0.0.1:6161", "is a URL: write the framed port without a scheme, by default 127.0.0.1:6160."),
        ("grpc://a:1", "is a URL: write the framed port"), ("localhost", "has no port: write localhost:6160"),
        ("tls://a.example", "has no port: write tls://a.example:6160"),
        ("::1:6160", "write an IPv6 address in brackets"), ("a:x", "is not host:port"), ("", "is not host:port"),
    ])
    func theReasonIsReported(_ text: String, _ reason: String) {
        let problem = #expect(throws: ServerEndpoint.Problem.self) { try ServerEndpoint(parsing: text) }
        let told = problem?.description ?? ""
        #expect(told.hasPrefix("'\(text)' "))
        #expect(told.contains(reason), "\(told)")
    }
}
