import HTTPFraming
import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Connections of HTTP/1.1 whose peers are slow, malformed, or want too much.
@Suite(.timeLimit(.minutes(10)))
struct HTTP1ConnectionTests {
    private static let head =
        "POST /test.v1.Test/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"

    // MARK: Requests in parts

    @Test func aClientMayWaitBeforeItSendsABody() async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send("\(Self.head)Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await peer.answer(hasBody: false)?.status == 100)
            try await peer.send("hi")
            #expect(try await peer.answer()?.text == "hi")
            try await peer.send("\(Self.head)Content-Length: 200001\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await peer.answer()?.status == 413)
        }
    }

    @Test func aRefusalOfALongBodyDoesNotWaitForIt() async throws {
        try await HTTP1Peer.run { server, peer in
            let head = "POST /test.v1.Test/Nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"
            try await peer.send("\(head)Content-Length: 100000000\r\n\r\nx")
            let answer = try #require(try await peer.answer())
            #expect((answer.status, answer.headers["connection"]) == (404, "close"))
            #expect(await peer.isClosed())
        }
    }

    @Test func aBodyOverTheLimitIsRefusedOnTheWay() async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send("\(Self.head)Content-Length: 100000000\r\n\r\n")
            try await peer.send([UInt8](repeating: 1, count: 200_001))
            let answer = try #require(try await peer.answer())
            #expect((answer.status, answer.headers["connection"]) == (429, "close"))
            #expect(answer.text.contains("MESSAGE_TOO_LARGE"))
            #expect(await peer.isClosed())
        }
    }

    // MARK: Attacks

    @Test(arguments: [
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET",
        "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "Content-Length: -1\r\n\r\n", "Content-Length : 1\r\n\r\na",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nZZ\r\n", "A\u{0}: b\r\n\r\n",
        "Folded: a\r\n b\r\n\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n\r\na", "Content-Length: +1\r\n\r\na",
        "Content-Length: 99999999999999999999\r\n\r\na", "Content-Length: 1, 1\r\n\r\na", ":path: /x\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", "Transfer-Encoding: chunked\r\n\r\n-1\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    ])
    func aRequestWithTwoReadingsEndsTheConnection(_ rest: String) async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send(Self.head + rest)
            let answer = try await peer.answer()
            #expect(answer?.status == 400, "\(rest)")
            #expect(answer?.headers["connection"] == "close")
            #expect(await peer.isClosed())
            #expect(server.count(of: .malformedRequest) == 1)
        }
    }

    /// They are neither read nor kept, and the request has its time to end.
    @Test(arguments: ["1;", "1\r\na\r\n0\r\nX: "])
    func chunksMayNotHaveExtensionsOrTrailersWithoutEnd(_ start: String) async throws {
        try await HTTP1Peer.run(.with { $0.frameTimeout = .seconds(1) }) { server, peer in
            try await peer.send("\(Self.head)Transfer-Encoding: chunked\r\n\r\n\(start)")
            let letters = [UInt8](repeating: 0x61, count: 16 * 1024)
            while server.count(of: .frameTimeout) == 0, server.count(of: .malformedRequest) == 0 {
                try? await peer.send(letters)
                #expect(server.inboundByteCount < 200_000)
            }
        }
    }

    @Test func aChunkMayHaveAnExtension() async throws {
        try await HTTP1Peer.run { server, peer in
            let chunks = "1;a=b\r\na\r\n2;c;d=\"e\"\r\nbc\r\n0\r\nX: y\r\n\r\n"
            try await peer.send("\(Self.head)Transfer-Encoding: chunked\r\n\r\n\(chunks)")
            #expect(try await peer.answer()?.text == "abc")
        }
    }

    @Test func laterHeadersHaveATimeToo() async throws {
        try await HTTP1Peer.run(.with { $0.frameTimeout = .seconds(1) }) { server, peer in
            #expect(try await peer.call("Echo", [1])?.status == 200)
            try await peer.send("POST")
            #expect(await peer.isClosed())
            #expect(server.count(of: .frameTimeout) == 1)
        }
    }

    // MARK: The end

    /// The client may have sent it before the server began to stop.
    @Test func aServerThatStopsAnswersTheNextRequest() async throws {
        try await HTTP1Peer.run(.with { $0.drainQuietTime = .seconds(300) }) { server, peer in
            #expect(try await peer.call("Echo", [1])?.status == 200)
            server.stop()
            // Each loop has run what the stop gave it before.
            #expect(await EventLoops.answer(within: .seconds(600)))
            let answer = try await peer.call("Echo", [2])
            #expect((answer?.status, answer?.headers["connection"]) == (200, "close"))
            #expect(await peer.isClosed())
        }
    }

    @Test func aServerThatStopsDoesNotWaitForLongForTheNextRequest() async throws {
        try await HTTP1Peer.run(.with { $0.drainQuietTime = .milliseconds(20) }) { server, peer in
            let answer = try await peer.call("Echo", [1])
            #expect(answer?.status == 200)
            server.stop()
            #expect(await peer.isClosed())
        }
    }

    /// The answer waits for a body that is short, as most clients send it next.
    @Test(arguments: ["end of the drain", "end of the input"])
    func aRefusalThatWaitsForABodyIsSentBeforeTheConnectionEnds(_ end: String) async throws {
        try await HTTP1Peer.run(.with { $0.drainTimeout = .zero }) { server, peer in
            let head = "POST /test.v1.Test/Nothing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"
            try await peer.send("\(head)Content-Length: 5\r\n\r\n")
            try await eventually { server.unsentByteCount > 0 }
            if end == "end of the drain" { server.stop() } else { try await peer.finish() }
            #expect(try await peer.answer()?.status == 404)
            #expect(await peer.isClosed())
        }
    }

    /// Sends the start of a request, lets the server begin to stop, and sends the rest.
    ///
    /// - Returns: The answer, and the number of frame timeouts.
    private func answerAfterStop(
        _ start: String,
        _ rest: String?,
        _ configuration: ServerConfiguration = ServerConfiguration.patient
    ) async throws -> (answer: HTTPAnswer?, timeouts: Int) {
        var configuration = configuration
        // Of the connection on which nothing arrives.
        configuration.drainQuietTime = .milliseconds(20)
        var result: (answer: HTTPAnswer?, timeouts: Int) = (nil, 0)
        try await HTTP1Peer.run(configuration) { server, peer in
            try await HTTP1Peer.connected(to: server) { silent in
                try await eventually { server.connectionCount == 2 || server.count(of: .frameTimeout) > 0 }
                try await peer.send(start)
                server.stop()
                #expect(await silent.isClosed(), "nothing has arrived on it")
                if let rest { try? await peer.send(rest) }
                result = (try? await peer.answer(), server.count(of: .frameTimeout))
            }
        }
        return result
    }

    /// The server may read the start when it has begun to stop: then it closes at once. So there is more than one attempt.
    private func inSomeAttempt(_ attempt: () async throws -> Bool) async throws {
        for _ in 0..<100 where try await attempt() { return }
        Issue.record("no attempt succeeded")
    }

    /// The first bytes may not tell yet which version of HTTP it is.
    @Test(arguments: ["P", "POST /test.v1.Test/Echo HT", "\(head)Content-Length"])
    func aServerThatStopsAnswersARequestThatHasBegunToArrive(_ start: String) async throws {
        let rest = "\(Self.head)Content-Length: 3\r\n\r\nabc".dropFirst(start.count)
        try await inSomeAttempt {
            let answer = try await answerAfterStop(start, String(rest)).answer
            return answer?.text == "abc" && answer?.headers["connection"] == "close"
        }
    }

    @Test(arguments: ["P", "POST /test.v1.Test/Echo HT"])
    func aServerThatStopsDoesNotWaitForLongForARequestThatHasBegunToArrive(_ start: String) async throws {
        var configuration = ServerConfiguration.patient
        configuration.frameTimeout = .milliseconds(100)
        try await inSomeAttempt {
            let (answer, timeouts) = try await answerAfterStop(start, nil, configuration)
            #expect(answer?.status == nil)
            return timeouts == 1
        }
        configuration.frameTimeout = .seconds(300)
        configuration.drainTimeout = .milliseconds(100)
        let (answer, timeouts) = try await answerAfterStop(start, nil, configuration)
        #expect((answer?.status, timeouts) == (nil, 0))
    }
}
