import HTTPFraming
import MarvelDomain
import NIOCore
import OperationsHTTP
import Testing

@testable import RPCServer

/// The pages, without sockets.
@Suite struct PagesTests {
    @Test(arguments: [
        ("GET", "/livez", 200), ("HEAD", "/livez", 200), ("GET", "/readyz", 200), ("GET", "/readyz?verbose", 200),
        ("GET", "/metrics", 200), ("GET", "/version", 200), ("GET", "/connections", 200), ("GET", "/", 200),
        ("GET", "/connections?limit=1", 200), ("GET", "/connections?limit=0", 400),
        ("GET", "/connections?limit=1001", 400), ("GET", "/connections?limit=x", 400), ("GET", "/x", 404),
        ("GET", "", 404), ("GET", "/livez/", 404), ("GET", "/..%2f", 404), ("POST", "/livez", 405),
        ("DELETE", "/", 405),
    ])
    func eachPageHasItsStatus(_ method: String, _ target: String, _ status: Int) async {
        let reply = await SamplePages().pages.reply(method: method, target: target)
        #expect(reply.status == status)
    }

    @Test func aServerThatDoesNotRespondIsNotAlive() async {
        var sample = SamplePages()
        sample.isAlive = false
        #expect(await sample.pages.reply(method: "GET", target: "/livez").status == 503)
        #expect(await sample.pages.reply(method: "GET", target: "/connections").status == 503)
    }

    @Test(arguments: [
        (true, true, 200, "[+] catalog: 3\n[+] store: open\nready\n"),
        (true, false, 200, "[+] catalog: 3\n[!] store: open\nready\n"),
        (false, true, 503, "[-] catalog: 3\n[+] store: open\nnot ready\n"),
    ])
    func onlyRequiredPartsMakeAServerUnready(_ catalog: Bool, _ store: Bool, _ status: Int, _ text: String) async {
        var sample = SamplePages()
        sample.readiness = Readiness([
            .init("catalog", isGood: catalog, detail: "3"),
            .init("store", isGood: store, isRequired: false, detail: "open"),
        ])
        let verbose = await sample.pages.reply(method: "GET", target: "/readyz?verbose")
        #expect(verbose.status == status)
        #expect(String(buffer: verbose.body) == text)
        let brief = await sample.pages.reply(method: "GET", target: "/readyz")
        #expect(brief.status == status)
        #expect(String(buffer: brief.body) == (status == 200 ? "ready\n" : "not ready\n"))
    }

    @Test func connectionsAreJSON() async {
        let reply = await SamplePages().pages.reply(method: "GET", target: "/connections?limit=7")
        let expected = """
            {"open":9,"connections":[{"address":"192.0.2.1:7","wire":"framed","age_seconds":1.25,"open_calls":2,\
            "unsent_bytes":3},{"wire":"http","age_seconds":7.0}]}

            """
        #expect(String(buffer: reply.body) == expected)
    }

    @Test func theVersionIsJSON() async {
        let reply = await SamplePages().pages.reply(method: "GET", target: "/version")
        #expect(String(buffer: reply.body) == "{\"version\":\"1.2.3\"}\n")
    }
}

/// Pages of a server that is made up.
struct SamplePages {
    var isAlive = true
    var readiness = Readiness([])
    var status = SampleStatus.report()

    var pages: OperationsPages {
        var metrics = MetricsRegistry()
        metrics.gauge("marvel_connections", "Open connections.") { 2 }
        return OperationsPages(
            isAlive: { [isAlive] in isAlive },
            readiness: { [readiness] in readiness },
            metrics: metrics,
            version: "1.2.3",
            connections: { [isAlive] _ in
                let peer = try? SocketAddress(ipAddress: "192.0.2.1", port: 7)
                let activity = ConnectionActivity(openCalls: 2, unsentByteCount: 3)
                let oldest = [
                    ConnectionDescription(wire: "framed", peer: peer, age: .milliseconds(1_250), activity: activity),
                    ConnectionDescription(wire: "http", peer: nil, age: .seconds(7), activity: nil),
                ]
                return isAlive ? (oldest, 9) : nil
            },
            status: { [status] in status }
        )
    }
}
