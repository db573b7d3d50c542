import Foundation
import NIOCore
import NIOHPACK
import NIOPosix
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Peers that do not read what the server sends, or only slowly, by both versions of HTTP and over both kinds of sockets.
@Suite(.timeLimit(.minutes(1)))
struct ReadingTests {
    enum Socket: CaseIterable {
        case tcp
        case unix
    }

    enum Version: CaseIterable {
        case http1
        case http2
    }

    /// Starts a server, and connects a peer that reads only when it is told to.
    private func serve(
        _ socket: Socket,
        _ configuration: ServerConfiguration,
        _ body: (RPCServer, any Channel) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "http-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let address: ServerAddress =
            switch socket {
            case .tcp: .tcp(host: "127.0.0.1", port: 0)
            case .unix: .unix(path: folder.appending(path: "s").path)
            }
        try await HTTPTestServer.run(TestMethods(), configuration, at: address) { server in
            let peer = try await connect(to: server)
            try await running {
                try await body(server, peer)
            } finally: {
                try? await peer.close()
            }
        }
    }

    /// Connects a peer that reads a chunk of bytes whenever it is told to read.
    private func connect(to server: RPCServer, chunk: Int = 4_096) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: chunk))
            .channelOption(.maxMessagesPerRead, value: 1)
            .connect(to: try server.addresses[0].socketAddress()) { channel in
                channel.eventLoop.makeSucceededFuture(channel)
            }
    }

    /// Calls a method. All windows are large.
    private func call(_ method: String, _ message: [UInt8], on peer: any Channel, _ version: Version) async throws {
        let body = HTTP2Peer.prefixed(message)
        guard version == .http2 else {
            let type = "Content-Type: application/connect+proto\r\nContent-Length: \(body.readableBytes)"
            var bytes = ByteBuffer(
                string: "POST /test.v1.Test/\(method) HTTP/1.1\r\nHost: localhost\r\n\(type)\r\n\r\n"
            )
            bytes.writeImmutableBuffer(body)
            return try await peer.writeAndFlush(bytes)
        }
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
        var block = ByteBuffer()
        try encoder.encode(headers: HTTP2Peer.head(method), to: &block)
        let head = RawHTTP2Peer.Frame(type: 1, flags: RawHTTP2Peer.Frame.endHeaders, stream: 1, payload: block)
        var bytes = ByteBuffer(string: RawHTTP2Peer.preface)
        bytes.writeImmutableBuffer(
            RawHTTP2Peer.bytes([
                .settings([(4, 0x7FFF_FFFF)]), .windowUpdate(0x7FFE_FFFF), head, .data(body, on: 1, isEnd: true),
            ])
        )
        try await peer.writeAndFlush(bytes)
    }

    /// 65,535 messages of 4,096 bytes.
    private static let endless: [UInt8] = [0xFF, 0xFF, 0, 0, 0x10, 0]

    /// Neither the kernel's own limit ends such a connection, nor the check whether the peer is alive.
    @Test(arguments: Socket.allCases, Version.allCases)
    func aSlowReaderIsLeftAloneUntilItStops(_ socket: Socket, _ version: Version) async throws {
        var configuration = ServerConfiguration()
        // Longer than a busy machine keeps the reader waiting.
        configuration.writeTimeout = .milliseconds(1_500)
        configuration.keepaliveTimeout = .milliseconds(500)
        try await serve(socket, configuration) { server, peer in
            try await call("Count", Self.endless, on: peer, version)
            try await eventually { server.unsentByteCount > 0 }
            // Some 100 KB/s, for three times the time in which a peer that reads nothing is closed.
            let reading = peer.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(40)) { _ in
                peer.read()
            }
            try await Task.sleep(for: .milliseconds(4_500))
            #expect((server.count(of: .writeTimeout), server.connectionCount) == (0, 1))
            reading.cancel()
            try await eventually { server.connectionCount == 0 }
            #expect(server.count(of: .writeTimeout) == 1)
        }
    }

    /// The kernel has then taken a whole number of messages, or a piece of one.
    @Test(arguments: Version.allCases)
    func aReaderMayStopAnywhere(_ version: Version) async throws {
        var configuration = ServerConfiguration()
        configuration.writeTimeout = .milliseconds(500)
        try await serve(.unix, configuration) { server, first in
            try await call("Count", Self.endless, on: first, version)
            var peers: [any Channel] = []
            for count in 1...40 {
                let peer = try await connect(to: server, chunk: 997 * count % 4_096 + 1)
                peers.append(peer)
                try await call("Count", Self.endless, on: peer, version)
                for _ in 0..<count { peer.read() }
            }
            try await eventually { server.connectionCount == 0 }
            #expect(server.count(of: .writeTimeout) == 41)
            for peer in peers { try? await peer.close() }
        }
    }

    /// TCP_USER_TIMEOUT would end it: the window of the socket is closed all the time.
    @Test(arguments: Version.allCases)
    func aPauseOfAReaderIsNotAnEnd(_ version: Version) async throws {
        var configuration = ServerConfiguration()
        configuration.keepaliveTimeout = .milliseconds(300)
        try await serve(.tcp, configuration) { server, peer in
            try await call("Count", Self.endless, on: peer, version)
            try await eventually { server.unsentByteCount > 0 }
            try await Task.sleep(for: .seconds(2))
            #expect(server.connectionCount == 1)
        }
    }

    /// It sends something all the time, and its stream would wait for ever.
    @Test(arguments: Socket.allCases)
    func aPeerThatSendsAndDoesNotReadIsClosed(_ socket: Socket) async throws {
        var configuration = ServerConfiguration()
        configuration.writeTimeout = .milliseconds(200)
        configuration.controlFrames = RateLimit(count: 1_000_000, window: .seconds(30))
        try await serve(socket, configuration) { server, peer in
            try await call("Count", Self.endless, on: peer, .http2)
            try await eventually { server.unsentByteCount > 0 }
            let sending = peer.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { _ in
                peer.writeAndFlush(RawHTTP2Peer.bytes([.priority(of: 99)]), promise: nil)
            }
            try await eventually { server.connectionCount == 0 }
            sending.cancel()
            #expect(server.count(of: .writeTimeout) == 1)
        }
    }

    /// The kernel has taken all of it, and nothing else is to be sent.
    @Test(arguments: Version.allCases)
    func anAnswerThatIsNotReadIsCountedAndEndsTheConnection(_ version: Version) async throws {
        var configuration = ServerConfiguration()
        configuration.writeTimeout = .milliseconds(300)
        try await serve(.tcp, configuration) { server, peer in
            try await call("Count", [0, 1, 0, 0, 0xEA, 0x60], on: peer, version)
            try await eventually { server.unsentByteCount > 0 }
            try await eventually { server.connectionCount == 0 }
            #expect(server.count(of: .writeTimeout) == 1)
        }
    }

    // MARK: Unix sockets

    /// A client that may open the socket is trusted to be silent, and is served as over TCP otherwise.
    @Test func callsOverAUnixSocketAreServedAndDrained() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "http-\(UUID().uuidString.prefix(8))").path
        var configuration = ServerConfiguration()
        configuration.idleTimeout = .milliseconds(50)
        configuration.frameTimeout = .milliseconds(100)
        try await HTTPTestServer.run(TestMethods(), configuration, at: .unix(path: path)) { server in
            try await HTTP2Peer.connected(to: server) { peer in
                #expect(try await peer.call("Echo", [1]).status == .ok)
                try await Task.sleep(for: .milliseconds(300))
                let answer = try await peer.call("Count", HTTP2Peer.count(100, size: 5_000))
                #expect((answer.status, answer.messages.count, peer.goAways) == (.ok, 100, []))
                server.stop()
                try await peer.untilClosed()
                #expect(peer.goAways.map(\.lastStream) == [UInt32(Int32.max), 3])
            }
        }
    }
}
