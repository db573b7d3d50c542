import HTTPFraming
import MarvelDomain
import Testing

@testable import CurlTransport
@testable import Upstream

/// The faults of a gateway, and the errors that they become.
@Suite(.timeLimit(.minutes(10)))
struct FaultTests {
    private let small = HTTPResponseLimits(maximumBodyByteCount: 100_000)
    private let head = Array("HTTP/1.1 200 OK\r\n".utf8)

    /// A server that answers with these bytes and closes.
    private func closing(after bytes: [UInt8]) throws -> TestServer {
        try TestServer { connection in
            guard connection.request() != nil else { return }
            connection.send(bytes)
        }
    }

    @Test(arguments: [
        "file:///etc/passwd", "gopher://127.0.0.1:1/", "ftp://127.0.0.1:1/", "dict://127.0.0.1:1/",
        "scp://127.0.0.1:1/", "http://user:pw@127.0.0.1:1/", "http://", "http://127.0.0.1:99999/", "",
    ])
    func onlyHTTPIsSpoken(url: String) async throws {
        #expect(try await CurlTransport().failure(url) == .unsupportedURL)
    }

    @Test func aPortThatRefusesIsUnreachable() async throws {
        let url = try TestServer(answer: []).url()
        #expect(
            try await CurlTransport().failure(url)
                == .unreachable("connection refused, or host unreachable")
        )
    }

    @Test func anUnknownNameIsUnreachable() async throws {
        #expect(try await CurlTransport().failure("http://gateway.invalid/").kind == "unreachable")
    }

    /// A name server that does not answer takes as long as a host that does not, and is another trouble.
    @Test(arguments: [
        ("Resolving timed out after 3000 milliseconds", "resolving its host name timed out"),
        ("Connection timed out after 3001 milliseconds", nil), ("Operation timed out after 10000 milliseconds", nil),
        ("", nil),
    ])
    func aNameThatIsNotResolvedInTimeIsUnreachable(_ text: String, _ reason: String?) {
        #expect(SourceError.timeout(text) == reason.map { .unreachable($0) } ?? .timedOut)
    }

    @Test(arguments: [
        "Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nhe",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ])
    func aBodyThatIsCutOffIsNotAnAnswer(rest: String) async throws {
        let server = try closing(after: head + Array(rest.utf8))
        #expect(try await CurlTransport().failure(server.url()).kind == "interrupted")
    }

    @Test func aConnectionClosedWithoutAnAnswerIsInterrupted() async throws {
        let server = try closing(after: [])
        #expect(try await CurlTransport().failure(server.url()) == .interrupted("it was closed without an answer"))
    }

    @Test(arguments: [
        "hello, this is not HTTP\r\n\r\n", "<html></html>", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func bytesThatAreNotHTTPAreNotAnAnswer(bytes: String) async throws {
        let server = try closing(after: Array(bytes.utf8))
        #expect(["invalidReply", "interrupted"].contains(try await CurlTransport().failure(server.url()).kind))
    }

    @Test func aBodyOfExactlyTheLimitIsAccepted() async throws {
        let server = try TestServer(answer: Answer.ok([UInt8](repeating: 7, count: 100_000)))
        #expect(try await CurlTransport().get(server.url(), small).body.count == 100_000)
    }

    @Test func anAnnouncedLengthOverTheLimitIsTooLarge() async throws {
        let server = try TestServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n")
            connection.waitForClose()
        }
        #expect(try await CurlTransport().failure(server.url(), small) == .tooLarge(maximumByteCount: 100_000))
    }

    @Test(arguments: ["Transfer-Encoding: chunked\r\n", "Connection: close\r\n"])
    func aBodyWithoutEndIsTooLargeAndTheConnectionIsClosed(header: String) async throws {
        let closed = Event()
        let server = try TestServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\n\(header)\r\n")
            let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
            while connection.send(header.contains("chunked") ? Answer.chunk(bytes) : bytes) {}
            closed.happen()
        }
        let transport = try CurlTransport()
        #expect(try await transport.failure(server.url(), small) == .tooLarge(maximumByteCount: 100_000))
        await closed.wait()
    }

    @Test func aCompressionBombIsRefusedByItsDecompressedSize() async throws {
        let bomb = try #require(Gzip.compress([UInt8](repeating: 0, count: 64 << 20)))
        let server = try TestServer(answer: Answer.ok(bomb, headers: "Content-Encoding: gzip\r\n"))
        let limit = HTTPResponseLimits.standard.maximumBodyByteCount
        #expect(bomb.count < limit / 4)
        #expect(try await CurlTransport().failure(server.url()) == .tooLarge(maximumByteCount: limit))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
    func aServerThatStallsAtAnyPointTimesOut(sent: String) async throws {
        let closed = Event()
        let server = try TestServer { connection in
            _ = connection.request()
            connection.send(sent)
            connection.waitForClose()
            closed.happen()
        }
        let limits = HTTPResponseLimits(totalTimeout: .milliseconds(200), lowSpeedTime: .seconds(300))
        let transport = try CurlTransport()
        #expect(try await transport.failure(server.url(), limits) == .timedOut)
        await closed.wait()
    }

    @Test func aHandshakeThatNeverEndsCountsAsConnecting() async throws {
        let server = try TestServer { $0.waitForClose() }
        let limits = HTTPResponseLimits(
            connectTimeout: .milliseconds(200),
            totalTimeout: .seconds(300),
            lowSpeedTime: .seconds(300)
        )
        #expect(try await CurlTransport().failure(server.url(scheme: "https"), limits) == .timedOut)
    }

    @Test func anAnswerThatTricklesTimesOut() async throws {
        let server = try TestServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx")
            connection.waitForClose()
        }
        let limits = HTTPResponseLimits(totalTimeout: .seconds(300), lowSpeedTime: .seconds(1))
        #expect(try await CurlTransport().failure(server.url(), limits) == .timedOut)
    }

    @Test func aHeaderWithAControlCharacterIsNotSent() async throws {
        let server = try TestServer(answer: Answer.ok(""))
        let transport = try CurlTransport()
        await #expect(throws: SourceError.failed("a header contains a control character")) {
            try await transport.get(HTTPRequest(url: server.url(), headers: ["If-None-Match": "a\r\nX-Smuggled: 1"]))
        }
        #expect(server.connectionCount == 0)
    }
}
