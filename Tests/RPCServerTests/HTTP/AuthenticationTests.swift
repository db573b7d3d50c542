import HTTPFraming
import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// The caller of a request is found out from its head, and counted, before anything else is looked at. Callers on this
/// machine need no token, and a wrong one is refused.
@Suite(.timeLimit(.minutes(10)))
struct AuthenticationTests {
    private static let wrong = ("authorization", "Bearer none")
    private static let token = TokenText(random: [UInt8](repeating: 1, count: 32))
    private static let named = ("authorization", Authorization.value(token))

    /// Starts a server with one token. An address may make five calls, and so may the token's name.
    private static func run(_ body: (RPCServer, AccessControl) async throws -> Void) async throws {
        let record = TokenRecord(id: "1", name: "one", scopes: [], digest: token.digest, createdAt: 0)
        let access = AccessControl(AccessRules(ownUser: 0), TokenTable([record]))
        let limits = CallerLimits(callsPerSecond: 1, callBurst: 5, bytesPerSecond: 0)
        var configuration = ServerConfiguration.patient
        (configuration.quotas.anonymous, configuration.quotas.named) = (limits, limits)
        try await TestServer.run(TestMethods(), configuration, access: access, callers: .one) {
            try await body($0, access)
        }
    }

    /// Whether the quota of a caller is used up. A slow machine gives a call a second back, so more of them are tried.
    private static func isUsedUp(
        _ server: RPCServer,
        _ headers: [(String, String)] = [],
        within calls: Int = 50
    ) async throws -> Bool {
        var isUsedUp = false
        try await HTTP1Peer.connected(to: server) { peer in
            for _ in 0..<calls where !isUsedUp {
                isUsedUp = try await peer.call("Echo", [], headers)?.status == 429
            }
        }
        return isUsedUp
    }

    @Test func aBodyIsNotAskedForBeforeItsCallerIsKnown() async throws {
        try await Self.run { server, _ in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send(
                    "POST /test.v1.Test/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"
                        + "Expect: 100-continue\r\nContent-Length: 5\r\nAuthorization: Bearer none\r\n\r\n"
                )
                #expect(try await peer.answer()?.status == 401)
                #expect(await peer.isClosed())
            }
        }
    }

    @Test func aBodyIsNotWaitedForOverHTTP2() async throws {
        try await Self.run { server, _ in
            try await HTTP2Peer.connected(to: server) { peer in
                let answer = try await peer.answer(on: try await peer.begin(HTTP2Peer.head("Echo", [Self.wrong])))
                #expect(answer.status == .unauthenticated)
            }
        }
    }

    @Test func aWrongTokenHidesOtherProblems() async throws {
        try await Self.run { server, _ in
            for headers in [
                [("Content-Type", "text/plain")], [("Content-Type", "application/proto"), ("Expect", "something")],
                [("Content-Type", "application/grpc")],
            ] {
                try await HTTP1Peer.connected(to: server) { peer in
                    let answer = try await peer.call("Echo", [], headers + [Self.wrong])
                    #expect((answer?.status, answer?.headers["content-type"]) == (401, "application/json"))
                    #expect(answer?.headers["www-authenticate"] == "Bearer")
                    #expect(answer?.text.contains("TOKEN_INVALID") == true)
                }
            }
            try await HTTP2Peer.connected(to: server) { peer in
                let head = HTTP2Peer.head("Echo", [("content-type", "text/plain"), Self.wrong])
                let answer = try await peer.answer(on: try await peer.begin(head, endStream: true))
                #expect(answer.head?.first(name: ":status") == "401")
            }
        }
    }

    @Test func aMethodDoesNotGetTheCredentials() async throws {
        try await Self.run { server, _ in
            try await HTTP1Peer.connected(to: server) { (peer) async throws in
                #expect(try await peer.call("Metadata", [], [Self.named, ("x-key", "v")])?.text == "x-key=v\n")
            }
        }
    }

    // MARK: Quotas

    @Test func aWrongContentTypeCountsForItsCaller() async throws {
        try await Self.run { server, _ in
            try await HTTP1Peer.connected(to: server) { peer in
                for _ in 0..<5 {
                    let answer = try await peer.call("Echo", [], [("Content-Type", "text/plain"), Self.named])
                    #expect(answer?.status == 415)
                }
                var answer: HTTPAnswer?
                for _ in 0..<50 where answer?.status != 429 {
                    answer = try await peer.call("Echo", [], [("Content-Type", "text/plain"), Self.named])
                }
                #expect(answer?.status == 429 && answer?.headers["retry-after"] != nil)
            }
            #expect(try await Self.isUsedUp(server, [Self.named]))
            let isUsedUp = try await Self.isUsedUp(server, within: 3)
            #expect(!isUsedUp, "the address has a quota of its own")
        }
    }

    @Test func streamsThatAreResetCount() async throws {
        try await Self.run { server, _ in
            try await HTTP2Peer.connected(to: server) { peer in
                for _ in 0..<5 {
                    let id = try await peer.begin(HTTP2Peer.head("Echo"))
                    await peer.send([.reset(id)])
                }
                var status: StatusCode?
                for _ in 0..<50 where status != .resourceExhausted { status = try await peer.call("Echo").status }
                #expect(status == .resourceExhausted)
            }
        }
    }

    /// Also a request that is never complete.
    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/3.0\r\nHost: localhost\r\n\r\n", "BREW / HTTP/1.1\r\n\r\n",
        "POST /test.v1.Test/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"
            + "Content-Length: 5\r\n\r\n1",
    ])
    func faultyRequestsCount(_ text: String) async throws {
        try await Self.run { server, _ in
            for _ in 0..<5 { try await HTTP1Peer.connected(to: server) { try await $0.send(text) } }
            try await eventually { server.connectionCount == 0 }
            #expect(try await Self.isUsedUp(server))
        }
    }

    @Test func malformedStreamsCount() async throws {
        try await Self.run { server, _ in
            try await HTTP2Peer.connected(to: server, settings: []) { peer in
                for index in 0..<5 as Range<UInt32> {
                    let head = try peer.head("Echo", on: 2 * index + 1, [("connection", "close")], endStream: true)
                    await peer.send([head])
                    let answer = await peer.nextFrame { $0.stream == 2 * index + 1 }
                    #expect(answer?.type == 3)
                }
            }
            #expect(try await Self.isUsedUp(server))
        }
    }

    // MARK: Access that changes

    /// A token that is revoked while a request arrives.
    @Test func aCallBeginsOnlyWithTheAccessOfThatTime() async throws {
        try await Self.run { server, access in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send(
                    "POST /test.v1.Test/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"
                        + "Expect: 100-continue\r\nContent-Length: 1\r\nAuthorization: \(Self.named.1)\r\n\r\n"
                )
                #expect(try await peer.answer(hasBody: false)?.status == 100)
                access.replace(TokenTable())
                try await peer.send("1")
                #expect(try await peer.answer()?.status == 401)
            }
        }
    }
}
