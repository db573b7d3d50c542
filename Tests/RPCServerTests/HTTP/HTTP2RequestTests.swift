import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Requests of gRPC whose frames are unusual, and their limits.
@Suite(.timeLimit(.minutes(10)))
struct HTTP2RequestTests {
    // MARK: Frames

    /// The gRPC specification asks for it, and no server does.
    @Test func aRequestWithoutTEIsServed() async throws {
        try await HTTP2Peer.run { server, peer in
            let head = HPACKHeaders(HTTP2Peer.head("Echo").filter { $0.name != "te" }.map { ($0.name, $0.value) })
            let id = try await peer.begin(head)
            await peer.send(HTTP2Peer.prefixed([7]), on: id)
            #expect(try await peer.answer(on: id).status == .ok)
        }
    }

    /// A method with one request has none then; one that takes several may have none.
    @Test(arguments: [("Echo", StatusCode.unimplemented), ("Count", .unimplemented), ("Talk", .ok)])
    func aRequestMayEndWithItsHeaders(_ method: String, _ status: StatusCode) async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head(method), endStream: true)
            let answer = try await peer.answer(on: id)
            #expect((answer.status, answer.reset, answer.messages.count) == (status, nil, 0))
        }
    }

    @Test(arguments: ["Echo", "Talk"])
    func aRequestMayEndWithTrailers(_ method: String) async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head(method))
            await peer.send(HTTP2Peer.prefixed([7]), on: id, endStream: false)
            try await peer.sendTrailers(on: id)
            let answer = try await peer.answer(on: id)
            #expect((answer.status, answer.messages.map { Array($0.readableBytesView) }) == (.ok, [[7]]))
        }
    }

    // MARK: Headers that are malformed or too large

    /// More marks take quadratic time to compare. The connection continues.
    @Test(arguments: ["content-type", "x-city", ":path"])
    func aHeaderHasAtMostThirtyCombiningMarksInARow(_ name: String) async throws {
        try await HTTP2Peer.run { server, peer in
            let marks = String(repeating: "\u{301}", count: 30)
            #expect(try await peer.call("Echo", [7], [("x-city", "e\(marks)e\(marks)")]).status == .ok)
            let id = try await peer.begin(HTTP2Peer.head("Echo", [(name, "/e\(marks)\u{316}")]), endStream: true)
            #expect(try await peer.answer(on: id).reset == .protocolError)
            #expect(try await peer.call("Echo", [7]).status == .ok)
        }
    }

    /// Clients do not look at the announced size. One call fails, and not all of its connection.
    @Test(arguments: [
        ("Echo", "application/grpc", "x-long", 20_000), ("Echo", "application/grpc", "user-agent", 60_000),
        ("Echo", "application/proto", "user-agent", 20_000), ("Echo", "text/plain", "user-agent", 60_000),
    ])
    func headersOverTheAnnouncedSizeEndTheirStream(
        _ method: String,
        _ contentType: String,
        _ name: String,
        _ byteCount: Int
    ) async throws {
        try await HTTP2Peer.run(settings: []) { server, peer in
            await peer.send([try peer.head("Echo", on: 1)])
            let long = (name, String(repeating: "v", count: byteCount))
            let block = try peer.headers(method, [("content-type", contentType), long])
            await peer.send(try AttackTests.frames(of: block, on: 3) + [.data(ByteBuffer(), on: 3, endStream: true)])
            let answer = await peer.nextFrame { $0.stream == 3 && $0.type == 1 }
            let frame = try #require(answer)
            let headers = try peer.decoded(frame)
            if contentType == "application/grpc" {
                #expect(headers.first(name: "grpc-status") == "8")
            } else {
                #expect(headers.first(name: ":status") == "431")
            }
            await peer.send([.data(HTTP2Peer.prefixed([7]), on: 1, endStream: true)])
            let other = await peer.nextFrame { $0.stream == 1 && $0.type == 0 }
            #expect(other?.payload.readableBytes == 6, "the other call continues")
            #expect(server.count(of: .malformedRequest) == 1)
        }
    }

    /// RFC 9113, section 8.1.1, also if the request would be refused anyway.
    @Test(arguments: [
        ("Echo", "application/grpc"), ("Nothing", "application/grpc"), ("Echo", "text/plain"),
        ("Echo", "application/json"),
    ])
    func aBodyOfAnotherLengthThanNamedIsReset(_ method: String, _ contentType: String) async throws {
        for (length, bodies) in [(1, ["test"]), (5, ["te", "st"]), (1, [])] {
            try await HTTP2Peer.run(settings: []) { server, peer in
                let fields = [("content-type", contentType), ("content-length", "\(length)")]
                var frames = [try peer.head(method, on: 1, fields, endStream: bodies.isEmpty)]
                for (index, body) in bodies.enumerated() {
                    frames.append(.data(ByteBuffer(string: body), on: 1, endStream: index == bodies.count - 1))
                }
                await peer.send(frames)
                let reset = await peer.nextFrame { $0.stream == 1 }
                #expect((reset?.type, reset?.payload) == (3, ByteBuffer(integer: 1 as UInt32)))
                await peer.send(try peer.call("Echo", [7], on: 3))
                let answer = await peer.nextFrame { $0.type == 0 }
                #expect(answer?.stream == 3, "the connection continues")
            }
        }
    }

    typealias Frame = HTTP2Peer.Frame

    // MARK: Deadlines

    /// The status would wait behind the half message; a whole one was taken.
    @Test(arguments: [(500, true), (2_010, false)])
    func aDeadlineResetsAStreamOnlyIfItIsStuck(_ window: Int, _ isStuck: Bool) async throws {
        let settings: HTTP2Peer.Settings = .window(window)
        try await HTTP2Peer.run(settings: settings) { server, peer in
            let answer = try await peer.call("Count", HTTP2Peer.count(20, size: 1_000), [("grpc-timeout", "200m")])
            #expect((answer.reset, answer.data.readableBytes) == (isStuck ? .cancel : nil, window))
            #expect(answer.trailers?.first(name: "grpc-status") == (isStuck ? nil : "4"))
            #expect(server.count(of: .deadlineExceeded) == 1)
        }
    }

    // MARK: Keepalive

    /// Any frame of the peer, an answer or not, shows that it lives.
    @Test func aSilentPeerIsPingedAndClosedIfItDoesNotAnswer() async throws {
        var configuration = ServerConfiguration.patient
        configuration.keepaliveInterval = .milliseconds(200)
        configuration.minimumKeepaliveInterval = .milliseconds(200)
        configuration.keepaliveTimeout = .seconds(3)
        try await TestServer.run(TestMethods(), configuration) { server in
            try await HTTP2Peer.connected(to: server, settings: []) { silent in
                try await HTTP2Peer.connected(to: server, settings: []) { alive in
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
