import Framing
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireClients
import WireMessages

/// Peers that speak something else, or leave in the middle.
@Suite(.timeLimit(.minutes(10)))
struct OpeningTests {
    @Test(
        arguments: [
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", ServerEvent.foreignTLS),
            ("~~~~~~~~~~~~", .foreignUnknown),
        ]
    )
    func aStrangerIsClosedAndCountedByKind(_ opening: String, _ event: ServerEvent) async throws {
        try await RawPeer.run { server, _, peer in
            try await peer.send(ByteBuffer(string: opening))
            #expect(try await peer.nextFrame() == nil)
            #expect(server.count(of: event) == 1)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "P"])
    func aPeerThatSpeaksHTTPGetsAnHTTPError(_ opening: String) async throws {
        try await RawPeer.run { server, _, peer in
            try await peer.send(ByteBuffer(string: opening))
            let answer = await peer.allText()
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            let text = "This is the framed port. HTTP has another one, by default 6161.\n"
            #expect(answer.hasSuffix("\r\n\r\n\(text)"))
            #expect(server.count(of: .foreignHTTP) == 1)
        }
    }

    /// After a frame, other bytes are no request of HTTP: the framing is lost.
    @Test func afterAFrameNothingIsHTTP() async throws {
        try await RawPeer.run { server, _, peer in
            try await peer.send([.request("Echo", on: 1)])
            #expect(try await peer.nextFrame() != nil)
            try await peer.send(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
            #expect(try await peer.nextFrame() == nil)
        }
    }
}
