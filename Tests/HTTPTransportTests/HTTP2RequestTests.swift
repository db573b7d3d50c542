import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import RPCTransport
import Testing

@testable import HTTPTransport

/// Requests of gRPC whose frames are unusual, and their limits.
@Suite(.timeLimit(.minutes(1)))
struct HTTP2RequestTests {
    // MARK: Frames

    /// The gRPC specification asks for it, and no server does.
    @Test func aRequestWithoutTEIsServed() async throws {
        try await HTTPTestServer.serve { (server, peer) async throws in
            let head = HPACKHeaders(HTTP2Peer.head("Echo").filter { $0.name != "te" }.map { ($0.name, $0.value) })
            let id = try await peer.begin(head)
            try await peer.send(HTTP2Peer.prefixed([7]), on: id)
            #expect(try await peer.answer(on: id).status == .ok)
        }
    }

    /// A method with one request has none then; one that takes several may have none.
    @Test(arguments: [("Echo", StatusCode.unimplemented), ("Count", .unimplemented), ("Talk", .ok)])
    func aRequestMayEndWithItsHeaders(_ method: String, _ status: StatusCode) async throws {
        try await HTTPTestServer.serve { (server, peer) async throws in
            let id = try await peer.begin(HTTP2Peer.head(method), isEnd: true)
            let answer = try await peer.answer(on: id)
            #expect((answer.status, answer.reset, answer.messages.count) == (status, nil, 0))
        }
    }

    @Test(arguments: ["Echo", "Talk"])
    func aRequestMayEndWithTrailers(_ method: String) async throws {
        try await HTTPTestServer.serve { (server, peer) async throws in
            let id = try await peer.begin(HTTP2Peer.head(method))
            try await peer.send(HTTP2Peer.prefixed([7]), on: id, isEnd: false)
            try await peer.send(.headers(.init(headers: ["x-checksum": "7"], endStream: true)), on: id)
            let answer = try await peer.answer(on: id)
            #expect((answer.status, answer.messages.map { Array($0.readableBytesView) }) == (.ok, [[7]]))
        }
    }

    // MARK: Metadata

    /// At most 64 pairs and 8 KiB of names and values.
    @Test(arguments: [
        (64, 1, StatusCode.ok), (65, 1, .resourceExhausted), (1, 8_188, .ok), (1, 8_189, .resourceExhausted),
    ])
    func metadataHasALimit(_ count: Int, _ byteCount: Int, _ status: StatusCode) async throws {
        try await HTTPTestServer.serve { (server, peer) async throws in
            let pairs = (0..<count).map { ("x-\(10 + $0)", String(repeating: "v", count: byteCount)) }
            let answer = try await peer.call("Echo", [1], pairs)
            #expect(answer.status == status)
            #expect(try await peer.call("Echo", [1]).status == .ok, "the connection goes on")
        }
    }

    // MARK: Deadlines

    /// The status would wait behind the half message; a whole one was taken.
    @Test(arguments: [(500, true), (2_010, false)])
    func aDeadlineResetsAStreamOnlyIfItIsStuck(_ window: Int, _ isStuck: Bool) async throws {
        let settings: HTTP2Settings = [HTTP2Setting(parameter: .initialWindowSize, value: window)]
        try await HTTPTestServer.serve(settings: settings) { (server, peer) async throws in
            let answer = try await peer.call("Count", HTTP2Peer.count(20, size: 1_000), [("grpc-timeout", "200m")])
            #expect((answer.reset, answer.data.readableBytes) == (isStuck ? .cancel : nil, window))
            #expect(answer.trailers?.first(name: "grpc-status") == (isStuck ? nil : "4"))
            #expect(server.count(of: .deadlineExceeded) == 1)
        }
    }

    // MARK: Keepalive

    /// What the peer sends, an answer or not, shows that it lives.
    @Test func aSilentPeerIsPingedAndClosedIfItDoesNotAnswer() async throws {
        var configuration = ServerConfiguration()
        configuration.keepaliveInterval = .seconds(1)
        configuration.minimumKeepaliveInterval = .seconds(1)
        configuration.keepaliveTimeout = .seconds(1)
        try await HTTPTestServer.run(TestMethods(), configuration) { server in
            try await RawHTTP2Peer.connected(to: server) { silent in
                try await RawHTTP2Peer.connected(to: server) { alive in
                    let ping = await alive.nextFrame { $0.type == 6 }
                    let frame = try #require(ping)
                    #expect((frame.flags, frame.stream) == (0, 0))
                    await alive.send([.init(type: 6, flags: 1, payload: frame.payload)])
                    #expect(await silent.nextFrame { $0.type == 6 } != nil)
                    #expect(await silent.end() == nil)
                    #expect(server.count(of: .keepaliveTimeout) == 1)
                    try await eventually { server.connectionCount == 1 }
                    await alive.send(try alive.call("Echo", [7], on: 1))
                    #expect(await alive.nextFrame { $0.type == 0 }?.stream == 1)
                }
            }
        }
    }
}
