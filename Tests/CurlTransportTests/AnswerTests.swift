import HTTPFraming
import Synchronization
import Testing
import Upstream

@testable import CurlTransport

@Suite(.timeLimit(.minutes(10)))
struct AnswerTests {
    @Test func anAnswerHasStatusHeadersAndBody() async throws {
        let server = try TestServer(answer: Answer.ok("hello", headers: "ETag: fe11\r\nX-Odd:  spaces \r\n"))
        let response = try await CurlTransport().get(server.url())
        #expect(response.status == 200)
        #expect(response.text == "hello")
        #expect(response.headers["etag"] == "fe11")
        #expect(response.headers["x-odd"] == "spaces")
    }

    @Test func aRequestIsAGetWithOurHeadersAndNoOthers() async throws {
        let seen = Mutex("")
        let server = try TestServer { connection in
            guard let request = connection.request() else { return }
            seen.withLock { $0 = request }
            connection.send(Answer.ok(""))
        }
        let request = HTTPRequest(url: server.url("/a%20b?c=%C3%B1"), headers: ["Accept": "application/json"])
        _ = try await CurlTransport().get(request)
        let lines = seen.withLock { $0 }.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "GET /a%20b?c=%C3%B1 HTTP/1.1")
        #expect(
            lines.dropFirst().sorted() == [
                "Accept-Encoding: \(CurlLibrary.acceptedEncodings)", "Accept: application/json",
                "Host: 127.0.0.1:\(server.port)", "User-Agent: marvel-rpc",
            ]
        )
    }

    @Test(arguments: [200, 204, 304, 401, 404, 409, 429, 500, 503])
    func everyStatusIsAnAnswer(status: Int) async throws {
        let server = try TestServer(answer: Array("HTTP/1.1 \(status) Some Reason\r\nContent-Length: 0\r\n\r\n".utf8))
        let response = try await CurlTransport().get(server.url())
        #expect(response == HTTPResponse(status: status, headers: ["Content-Length": "0"]))
    }

    @Test func gzipIsRequestedAndDecompressed() async throws {
        #expect(CurlLibrary.acceptedEncodings.contains("gzip"))
        let body = try #require(Gzip.compress(Array("compressed ñ".utf8)))
        let server = try TestServer(answer: Answer.ok(body, headers: "Content-Encoding: gzip\r\n"))
        #expect(try await CurlTransport().get(server.url()).text == "compressed ñ")
    }

    @Test(arguments: [301, 302, 303, 307, 308], ["file:///etc/passwd", "gopher://127.0.0.1:1/", "OTHER"])
    func aRedirectIsAnAnswerAndNotFollowed(status: Int, target: String) async throws {
        let other = try TestServer(answer: Answer.ok("inside"))
        let location = target == "OTHER" ? other.url() : target
        let head = "HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
        let server = try TestServer(answer: Array(head.utf8))
        let response = try await CurlTransport().get(server.url())
        #expect(response.status == status)
        #expect(response.body.isEmpty)
        #expect(other.connectionCount == 0)
    }
}
