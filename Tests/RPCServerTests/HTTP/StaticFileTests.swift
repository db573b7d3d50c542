import HTTPFraming
import NIOCore
import Testing
import WireClients

@testable import RPCServer

/// Files that are answered without a call, over both versions of HTTP.
@Suite(.timeLimit(.minutes(10)))
struct StaticFileTests {
    /// Larger than the first window of a stream.
    private static let bytes = [UInt8](repeating: 120, count: 100_000)
    private static let rules = HTTPRules(
        corsOrigins: ["https://example.org"],
        files: [file("/", [104, 105]), file("/large.js", bytes)]
    )

    private static func file(_ path: String, _ bytes: [UInt8]) -> StaticFile {
        StaticFile(
            path: path,
            mediaType: "text/html; charset=utf-8",
            bytes: ByteBuffer(bytes: bytes),
            tag: "abc",
            headers: ["cache-control": "no-cache", "x-content-type-options": "nosniff"]
        )
    }

    @Test(arguments: [("/", [104, 105]), ("/?q=spider", [104, 105]), ("/large.js", bytes)])
    func aFileIsTheBody(_ path: String, _ bytes: [UInt8]) async throws {
        try await HTTPAnswer.ofBothVersions("GET", path, rules: Self.rules) { answer in
            #expect((answer.status, answer.body == bytes) == (200, true))
            #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
            #expect(answer.headers["content-length"] == "\(bytes.count)")
            #expect(answer.headers["etag"] == "\"abc\"")
            #expect(answer.headers["cache-control"] == "no-cache")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
        }
    }

    @Test func aFileThatTheCallerHasIsNotSent() async throws {
        let headers = [("if-none-match", "\"abc\"")]
        try await HTTPAnswer.ofBothVersions("GET", "/", headers, rules: Self.rules) { answer in
            #expect((answer.status, answer.body, answer.headers["etag"]) == (304, [], "\"abc\""))
            #expect(answer.headers["cache-control"] == "no-cache")
        }
    }

    @Test func pagesOfAllowedOriginsMayImportIt() async throws {
        let name = "access-control-allow-origin"
        try await HTTPAnswer.ofBothVersions(
            "GET",
            "/large.js",
            [("origin", "https://example.org")],
            rules: Self.rules
        ) { #expect(($0.status, $0.headers[name]) == (200, "https://example.org")) }
        try await HTTPAnswer.ofBothVersions("GET", "/", [("origin", "https://example.com")], rules: Self.rules) {
            #expect(($0.status, $0.headers[name]) == (403, nil))
        }
    }

    @Test(arguments: [
        ("POST", "/", 405, "GET, HEAD, OPTIONS"), ("DELETE", "/", 405, "GET, HEAD, OPTIONS"),
        ("OPTIONS", "/large.js", 204, "GET, HEAD, OPTIONS"),
    ])
    func otherMethodsAreRefused(_ verb: String, _ path: String, _ status: Int, _ allow: String) async throws {
        try await HTTPAnswer.ofBothVersions(verb, path, rules: Self.rules) { answer in
            #expect((answer.status, answer.headers["allow"]) == (status, allow))
        }
    }

    @Test func otherPathsHaveNothing() async throws {
        for path in ["/index.html", "/large.js/", "//", "/Large.js"] {
            try await HTTPAnswer.ofBothVersions("GET", path, rules: Self.rules) { #expect($0.status == 404) }
        }
    }

    /// Some bytes of requests ask for 40 MB: what is more than the peer takes is refused, and made for nobody.
    @Test func unreadFilesAreNotQueuedWithoutLimit() async throws {
        try await TestServer.run(wires: [.http(Self.rules)]) { server in
            try await HTTP2Peer.connected(to: server, settings: [(4, 0x7FFF_FFFF)]) { peer in
                let changes = [(":method", "GET"), (":path", "/large.js"), ("content-type", "text/plain")]
                let requests = try peer.onStreams(400) { stream, peer in
                    [try peer.head("Echo", on: stream, changes, endStream: true)]
                }
                await peer.send([.windowUpdate(0x7FFF_0000 - 65_535)] + requests)
                var (answered, refused) = (0, 0)
                while answered + refused < 400, let frame = await peer.nextFrame() {
                    if frame.type == 3 { refused += 1 }
                    if frame.type == 0, frame.flags & Frame.endStream != 0 { answered += 1 }
                }
                #expect(answered > 0 && refused > 0 && answered + refused == 400, "\(answered), \(refused)")
            }
        }
    }

    @Test(arguments: [false, true])
    func filesThatAreAskedForAheadAreAllSent(_ closes: Bool) async throws {
        try await TestServer.run(wires: [.http(Self.rules)]) { server in
            try await HTTP1Peer.connected(to: server, settings: 4_096) { peer in
                let request = "GET /large.js HTTP/1.1\r\nhost: localhost\r\n\r\n"
                try await peer.send(String(repeating: request, count: 50))
                // Its side closes while most of them wait for room.
                if closes { try await peer.finish() }
                try await peer.startReading()
                for _ in 1...50 {
                    let answer = try await peer.answer()
                    #expect(answer?.status == 200 && answer?.body.count == 100_000)
                }
            }
        }
    }

    /// Also to a client that reads more slowly than a connection without calls is closed.
    @Test func aServerThatStopsSendsTheRestOfAnAnswer() async throws {
        let configuration = ServerConfiguration.with { $0.drainQuietTime = .milliseconds(20) }
        // More than the kernel takes.
        let bytes = [UInt8](repeating: 120, count: 8_000_000)
        let rules = HTTPRules(files: [Self.file("/large.js", bytes)])
        try await TestServer.run(TestMethods(), configuration, wires: [.http(rules)]) { server in
            try await HTTP1Peer.connected(to: server, settings: 4_096) { peer in
                try await peer.send("GET /large.js HTTP/1.1\r\nhost: localhost\r\n\r\n")
                try await eventually { server.unsentByteCount > 0 }
                server.stop()
                try await Task.sleep(for: .milliseconds(100))
                try await peer.startReading()
                #expect(try await peer.answer()?.body.count == bytes.count)
                #expect(await peer.isClosed())
            }
        }
    }

    private typealias Frame = HTTP2Peer.Frame
}
