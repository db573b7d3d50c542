import HTTPFraming
import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// A port that serves pages and no calls.
@Suite(.timeLimit(.minutes(10)))
struct PortOfPagesTests {
    private static func run(
        _ configuration: ServerConfiguration = .patient,
        _ responder: @escaping PageResponder = echo,
        _ body: (RPCServer, inout HTTP1Peer) async throws -> Void
    ) async throws {
        try await TestServer.run(TestMethods(), configuration, wires: [.pages("pages", responder)]) { server in
            try await HTTP1Peer.connected(to: server) { peer in try await body(server, &peer) }
        }
    }

    /// Answers with the method, the target, and the values of a header.
    @Sendable private static func echo(_ request: PageRequest) async -> PageAnswer {
        let text = ([request.method, request.target] + request.values(of: "x-test")).joined(separator: " ")
        return PageAnswer(PlainAnswer(200, [("content-type", "text/plain")], body: ByteBuffer(string: text)))
    }

    @Test func aRepeatedHeaderHasAllItsValues() async throws {
        try await Self.run { server, peer in
            try await peer.send("GET / HTTP/1.1\r\nHost: h\r\nX-Test: a\r\nX-Test: b\r\n\r\n")
            #expect(try await peer.answer()?.text == "GET / a b")
        }
    }

    @Test func anAnswerToHeadHasTheLengthAndNoBody() async throws {
        try await Self.run { server, peer in
            try await peer.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await peer.answer(hasBody: false)?.headers["content-length"] == "6")
            #expect(try await peer.answer()?.text == "GET /")
        }
    }

    @Test func http10EndsWithTheAnswer() async throws {
        try await Self.run { server, peer in
            try await peer.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try await peer.answer()?.text == "GET /")
            #expect(await peer.isClosed())
        }
    }

    @Test func aShortBodyIsDiscarded() async throws {
        try await Self.run { server, peer in
            try await peer.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n")
            try await peer.send("abcGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await peer.answer()?.text == "POST /a")
            #expect(try await peer.answer()?.text == "GET /b")
        }
    }

    @Test(arguments: [
        "Content-Length: 100000000", "Transfer-Encoding: chunked", "Content-Length: 3\r\nExpect: 100-continue",
    ])
    func anyOtherBodyEndsTheConnection(_ header: String) async throws {
        try await Self.run { server, peer in
            try await peer.send("POST / HTTP/1.1\r\nHost: h\r\n\(header)\r\n\r\n")
            let answer = try await peer.answer()
            #expect((answer?.text, answer?.headers["connection"]) == ("POST /", "close"))
            #expect(await peer.isClosed())
        }
    }

    @Test func aPageThatIsNotMadeIs503() async throws {
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        defer { end.finish() }
        try await Self.run(.with { $0.unaryTimeout = .milliseconds(20) }) { request in
            // It ends when the task is cancelled.
            for await _ in never {}
            return await Self.echo(request)
        } _: { server, peer in
            try await peer.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await peer.answer()?.status == 503)
        }
    }

    @Test func aCutAnswerAnnouncesItsWholeLength() async throws {
        try await Self.run { request in
            var answer = await Self.echo(request)
            answer.isCut = true
            return answer
        } _: { server, peer in
            try await peer.send("GET /345 HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = try await peer.answer()
            #expect((answer?.headers["content-length"], answer?.text) == ("8", "GET "))
        }
    }

    /// There are no calls, and no HTTP/2.
    @Test func aClientOfHTTP2IsRefused() async throws {
        try await Self.run { server, peer in
            try await peer.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            #expect(try await peer.answer()?.status == 400)
        }
    }
}
