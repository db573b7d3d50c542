import Framing
import NIOCore
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireClients
import WireMessages

/// Peers that speak something else, or leave in the middle.
@Suite(.timeLimit(.minutes(1)))
struct OpeningTests {
    @Test(
        arguments: [
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", ServerEvent.foreignTLS),
            ("~~~~~~~~~~~~", .foreignUnknown),
        ]
    )
    func aStrangerIsClosedAndCountedByKind(_ opening: String, _ event: ServerEvent) async throws {
        try await TestServer.run { server, peer in
            try await peer.send(ByteBuffer(string: opening))
            #expect(try await peer.nextFrame() == nil)
            #expect(server.server.count(of: event) == 1)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "P"])
    func aPeerThatSpeaksHTTPGetsAnHTTPError(_ opening: String) async throws {
        try await TestServer.run { server, peer in
            try await peer.send(ByteBuffer(string: opening))
            let answer = await peer.allText()
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            let text = "This is the framed port. This server has no HTTP port.\n"
            #expect(answer.hasSuffix("\r\n\r\n\(text)"))
            #expect(server.server.count(of: .foreignHTTP) == 1)
        }
    }

    /// After a frame, other bytes are no request of HTTP: the framing is lost.
    @Test func afterAFrameNothingIsHTTP() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Echo", on: 1)
            #expect(try await peer.nextFrame() != nil)
            try await peer.send(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
            #expect(try await peer.nextFrame() == nil)
        }
    }

    // MARK: Metadata

    enum Flood: CaseIterable {
        case manyPairs
        case longValue
        case longKey

        var metadata: Metadata {
            var metadata = Metadata()
            switch self {
            case .manyPairs: for number in 0..<3_000 { metadata.append("k\(number)", "v") }
            case .longValue: metadata.append("k", String(repeating: "v", count: 1 << 15))
            case .longKey: metadata.append(String(repeating: "k", count: 1 << 15), "v")
            }
            return metadata
        }
    }

    @Test(arguments: Flood.allCases)
    func tooMuchMetadataIsRefused(_ flood: Flood) async throws {
        try await TestServer.run { server, peer in
            let request = RequestEnvelope(
                service: TestService.name,
                method: "Metadata",
                payload: ByteBuffer(),
                timeoutNanoseconds: 0,
                metadata: flood.metadata
            )
            try await peer.send(.request, on: 1, request.encoded())
            #expect(try await peer.nextStatus()?.code == .resourceExhausted)
            try await peer.call("Echo", on: 3)
            #expect(try await peer.nextFrame()?.header.streamID == 3)
            #expect(server.server.count(of: .malformedRequest) == 1)
        }
    }

    @Test func aNULInMetadataIsRefused() async throws {
        try await TestServer.serve { server, client in
            var metadata = Metadata()
            metadata.append("x-request-id", "a\0b")
            let error = await #expect(throws: RPCError.self) {
                try await client.unary(TestService.path("Metadata"), ByteBuffer(), metadata: metadata)
            }
            #expect(error?.code == .invalidArgument)
        }
    }

    // MARK: Deadlines

    @Test(arguments: [Int64.min, -1, 0, 1_000_000_000, Int64.max - 1, Int64.max])
    func anyDeadlineIsUnderstood(_ nanoseconds: Int64) async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Echo", on: 1, timeoutNanoseconds: nanoseconds)
            let frame = try #require(try await peer.nextFrame())
            #expect(try frame.status?.code == (nanoseconds < 0 ? .deadlineExceeded : nil))
        }
    }
}
