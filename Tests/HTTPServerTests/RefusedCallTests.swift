import NIOCore
import NIOHPACK
import RPCCore
import Synchronization
import Testing
import WireClients
import WireMessages

@testable import RPCServer

/// Calls over HTTP that are refused before they begin. Callers on this machine need no token, and a wrong one is refused.
@Suite(.timeLimit(.minutes(1)))
struct RefusedCallTests {
    private final class Lines: AccessLog {
        let rules: AccessLogRules = {
            var rules = AccessLogRules()
            (rules.callsPerSecond, rules.slowCall, rules.failureWindow) = (1, .seconds(100), .seconds(600))
            return rules
        }()
        let all = Mutex<[LoggedCall]>([])

        func log(_ calls: [LoggedCall]) { all.withLock { $0 += calls } }
    }

    private static let wrong = [("authorization", "Bearer none")]

    /// Ways to be refused by Connect, and the code of the error, or the text of a plain answer.
    private static let ways: [(Call, String)] = [
        (Call("Nothing"), "unimplemented"), (Call("Echo", wrong), "unauthenticated"),
        (Call("Nothing", wrong), "unauthenticated"), (Call("Talk"), "unimplemented"),
        (Call("Echo", [("content-encoding", "br")]), "unimplemented"),
        (Call("Echo", [("origin", "https://other.example")]), "web pages of this origin"),
    ]

    @Test(arguments: [Wire.connectHTTP1, .connectHTTP2], ways.indices)
    func refusalsFillNoLog(over wire: Wire, _ way: Int) async throws {
        let (lines, count, (call, text)) = (Lines(), 400, Self.ways[way])
        try await HTTPTestServer.run(accessLog: lines) { server in
            let peer = try await WirePeer.connect(wire, to: server)
            for number in 0..<count {
                let error = try await peer.call(call).error
                #expect(error.map { "\($0.code.jsonName) \($0.message)" }?.contains(text) == true)
                // A good call, so that the connection continues.
                if number.isMultiple(of: 100) { #expect(try await peer.call(Call("Echo")).error == nil) }
            }
            try await peer.socket.close()
            #expect(server.count(of: .tooManyRejections) == 0)
        }
        let refused = lines.all.withLock { $0.filter { $0.call.code != .ok } }
        #expect(refused.reduce(0) { $0 + $1.sampled } == count)
        #expect(refused.count < 150)
        #expect(refused.allSatisfy { ($0.call.principal == nil) == (text != "unimplemented") })
    }

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

    private static func limited(_ burst: Int) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.quotas.anonymous = CallerLimits(callsPerSecond: 1, callBurst: burst, bytesPerSecond: 0)
        return configuration
    }

    /// A call counts before its method is looked up. A request that is not a call counts too.
    @Test(arguments: ["/test.v1.Test/Nothing", "/nothing"]) func refusedRequestsCount(_ path: String) async throws {
        try await HTTPTestServer.run(TestMethods(), Self.limited(10), callers: { _ in .address(.ipv4(1)) }) { server in
            try await HTTP1Peer.connected(to: server) { peer in
                let method = path == "/nothing" ? "GET" : "POST"
                for _ in 0..<10 {
                    try await peer.send(
                        "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"
                            + "Content-Length: 0\r\n\r\n"
                    )
                    let answer = try await peer.answer()
                    #expect(answer?.status != 429)
                }
                var statuses: [Int?] = []
                for _ in 0..<5 { statuses.append(try await peer.call("Echo")?.status) }
                #expect(statuses.contains(429))
            }
            try await HTTP2Peer.connected(to: server) { peer in
                var codes: [StatusCode?] = []
                for _ in 0..<5 { codes.append(try await peer.call("Nothing").status) }
                #expect(codes.contains(.resourceExhausted))
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

    @Test func aConnectionOverHTTP2ThatOnlyErrsIsEnded() async throws {
        try await HTTP2Peer.run { server, peer in
            for _ in 0...CallerLimits.rejections.count {
                let head = HTTP2Peer.head(
                    "",
                    [(":path", "/nothing"), (":method", "GET"), ("content-type", "application/proto")]
                )
                let answer = try await peer.answer(on: try await peer.begin(head, isEnd: true))
                #expect(answer.head?.first(name: ":status") == "404")
            }
            try await peer.untilClosed()
            #expect(peer.goAways.last?.text == "TOO_MANY_REJECTIONS")
        }
    }

    /// Another caller, who shares the connection through a proxy, may be sending its request.
    @Test func aRequestThatArrivesKeepsItsConnection() async throws {
        try await HTTP2Peer.run { server, peer in
            let upload = try await peer.begin(HTTP2Peer.head("Echo", [("content-type", "application/proto")]))
            await peer.send(ByteBuffer(string: "sl"), on: upload, isEnd: false)
            for _ in 0..<(CallerLimits.rejections.count + 50) {
                let head = HTTP2Peer.head(
                    "",
                    [(":path", "/nothing"), (":method", "GET"), ("content-type", "application/proto")]
                )
                let answer = try await peer.answer(on: try await peer.begin(head, isEnd: true))
                #expect(answer.head?.first(name: ":status") == "404")
            }
            await peer.send(ByteBuffer(string: "ow"), on: upload)
            #expect(String(buffer: try await peer.answer(on: upload).data) == "slow")
        }
    }

    /// A request that takes too long over HTTP/1.1 counts for its caller, and has its line.
    @Test func aRequestThatIsNeverCompleteCounts() async throws {
        let lines = Lines()
        try await HTTPTestServer.run(TestMethods(), .with { $0.frameTimeout = .milliseconds(100) }, accessLog: lines) {
            server in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send(
                    "POST /test.v1.Test/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"
                        + "Content-Length: 5\r\n\r\n1"
                )
                #expect(try await peer.answer()?.status == 504)
            }
            #expect(lines.all.withLock { $0.map(\.call.reason) } == [.deadlineExceeded])
        }
    }
}
