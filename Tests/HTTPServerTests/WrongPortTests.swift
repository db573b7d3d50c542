import Framing
import Logging
import NIOCore
import RPCClient
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Clients that call the port of another protocol.
@Suite(.timeLimit(.minutes(1)))
struct WrongPortTests {
    private static func port(_ server: RPCServer, _ number: Int) -> Int {
        if case .tcp(_, let port) = server.addresses[number] { port } else { 0 }
    }

    @Test func anHTTPRequestAtTheFramedPortLearnsTheHTTPPort() async throws {
        try await HTTPTestServer.run(wires: [.framed, .http]) { server in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
                let answer = try #require(try await peer.answer())
                #expect(answer.status == 400)
                let place = "HTTP is served at port \(Self.port(server, 1)).\n"
                #expect(answer.text == "This is the framed port. \(place)")
            }
        }
    }

    @Test(arguments: [[.http], [.framed, .http]] as [[ServerWire]])
    func aClientOfTheFramedPortLearnsThatPort(_ wires: [ServerWire]) async throws {
        try await HTTPTestServer.run(wires: wires) { server in
            var options = RPCClientOptions()
            options.retries = nil
            let client = RPCClient(addresses: [try #require(server.addresses.last)], options: options)
            let error = await #expect(throws: RPCError.self) {
                _ = try await client.unary(MethodPath(service: "test.v1.Test", method: "Echo"), ByteBuffer(string: "x"))
            }
            #expect(error?.code == .unimplemented)
            let place = wires.count == 2 ? "the framed port is \(Self.port(server, 0))" : "it has no framed port"
            #expect(error?.message == "this is the HTTP port: \(place)")
            await client.shutdown()
        }
    }

    /// The data of a frame is not kept, however long it is, and neither is what follows the answer.
    @Test func framesAreNotKept() async throws {
        try await HTTP1Peer.run(.with { $0.lingerTimeout = .milliseconds(100) }) { server, peer in
            // Hello, in two parts, and a request of 4 MiB that does not end.
            try await peer.send([0, 0, 0, 4, 0xFF, 0xFF, 0xFF, 0xFF, 0x10])
            try await peer.send([0, 1, 2, 3, 4, 0, 0x40, 0, 0, 0, 0, 0, 7, 1, 0])
            // The connection may end while it is sent.
            try? await peer.send([UInt8](repeating: 1, count: 2_000_000))
            try await eventually { server.connectionCount == 0 }
        }
    }

    /// Frames that ask for nothing are not kept either, and there are few before a request.
    @Test(arguments: [0, 10_000, (1 << 24) - 1]) func framesThatAskForNothingAreNotKept(_ length: Int) {
        var (reader, bytes, sentCount, keptCount) = (WrongPort.FrameReader(), ByteBuffer(), 0, 0)
        let frame: [UInt8] =
            [0] + [16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
            + [0, 0, 0, 1, 0x12, 0] + [UInt8](repeating: 1, count: length)
        var rest = frame[...]
        #expect(throws: ConnectionError.notThisProtocol(.unknown)) {
            while sentCount < 1 << 20 {
                if rest.isEmpty { rest = frame[...] }
                let part = rest.prefix(4096)
                rest = rest.dropFirst(part.count)
                bytes.writeBytes(part)
                sentCount += part.count
                let answer = try reader.answer(to: &bytes, saying: "")
                #expect(answer == nil)
                keptCount = max(keptCount, bytes.writerIndex)
            }
        }
        #expect(sentCount <= 64 * 1024 + 4096)
        #expect(keptCount < FrameHeader.byteCount)
    }

    /// On a unix socket, no time ends it.
    @Test func aConnectionOfFramesThatAskForNothingIsClosed() async throws {
        try await HTTP1Peer.run(.with { $0.frameTimeout = .seconds(600) }) { server, peer in
            // A Ping with data of 1 MiB, and another one.
            let ping = [0, 0x10, 0, 0, 0, 0, 0, 0, 0x12, 0] + [UInt8](repeating: 1, count: 1 << 20)
            for _ in 0..<2 { try? await peer.send(ping) }
            try await eventually { server.count(of: .foreignUnknown) == 1 }
            try await eventually { server.connectionCount == 0 }
        }
    }

    @Test func bytesThatAreNotFramesEndTheConnection() async throws {
        try await HTTP1Peer.run { server, peer in
            try await peer.send([0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x10, 0, 0x80])
            try await eventually { server.connectionCount == 0 }
        }
    }
}
