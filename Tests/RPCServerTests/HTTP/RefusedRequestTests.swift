import NIOCore
import NIOHPACK
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Calls over HTTP that are refused before they begin. Callers on this machine need no token, and a wrong one is refused.
@Suite(.timeLimit(.minutes(10)))
struct RefusedRequestTests {
    private static let wrong = [("authorization", "Bearer none")]

    /// Wrong tokens of one caller do not keep another one on the same connection waiting.
    @Test(arguments: Wire.drivers)
    func wrongTokensLeaveOthersOnTheirConnectionAlone(over wire: Wire) async throws {
        try await wire.run { (_, _, peer) async throws in
            for _ in 0..<1_000 {
                #expect(try await peer.call(Call("Echo", Self.wrong)).error?.code == .unauthenticated)
                #expect(try await peer.call(Call("Echo")).error == nil)
            }
        }
    }

    /// Requests that are no calls. For those that are, see `ConnectionContractTests`.
    @Test func aConnectionOverHTTP1ThatOnlyErrsIsEnded() async throws {
        try await HTTP1Peer.run { server, peer in
            var count = 0
            while count < 1_000 {
                try? await peer.send("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
                guard try await peer.answer() != nil else { break }
                count += 1
            }
            #expect(count == CallerLimits.rejections.count + 1)
            #expect(server.count(of: .tooManyRejections) == 1)
        }
    }

    /// Sends requests for a page that does not exist.
    private func askForNothing(_ peer: inout HTTP2Peer, _ count: Int) async throws {
        let head = HTTP2Peer.head(
            "",
            [(":path", "/nothing"), (":method", "GET"), ("content-type", "application/proto")]
        )
        for _ in 0..<count {
            let answer = try await peer.answer(on: try await peer.begin(head, endStream: true))
            #expect(answer.head?.first(name: ":status") == "404")
        }
    }

    @Test func aConnectionOverHTTP2ThatOnlyErrsIsEnded() async throws {
        try await HTTP2Peer.run { server, peer in
            try await askForNothing(&peer, CallerLimits.rejections.count + 1)
            try await peer.untilClosed()
            #expect(peer.goAways.last?.text == "TOO_MANY_REJECTIONS")
        }
    }

    /// Another caller, who shares the connection through a proxy, may be sending its request.
    @Test func aRequestThatArrivesKeepsItsConnection() async throws {
        try await HTTP2Peer.run { server, peer in
            let upload = try await peer.begin(HTTP2Peer.head("Echo", [("content-type", "application/proto")]))
            await peer.send(ByteBuffer(string: "sl"), on: upload, endStream: false)
            try await askForNothing(&peer, CallerLimits.rejections.count + 50)
            await peer.send(ByteBuffer(string: "ow"), on: upload)
            #expect(String(buffer: try await peer.answer(on: upload).data) == "slow")
        }
    }

    /// A request that takes too long over HTTP/1.1 counts for its caller, and has its line.
    @Test func aRequestThatIsNeverCompleteCounts() async throws {
        let lines = RecordedCalls(AccessLogRules())
        try await TestServer.run(TestMethods(), .with { $0.frameTimeout = .seconds(1) }, accessLog: lines) {
            server in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send(
                    "POST /test.v1.Test/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"
                        + "Content-Length: 5\r\n\r\n1"
                )
                #expect(try await peer.answer()?.status == 504)
            }
            #expect(lines.all.map(\.call.reason) == [.deadlineExceeded])
        }
    }
}
