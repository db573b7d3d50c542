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

    /// Whatever a connection begins with, it ends: at once, or when a frame's time is up.
    @Test func randomOpeningsLeaveNothingBehind() async throws {
        try await TestServer.run {
            $0.frameTimeout = .milliseconds(50)
            $0.idleTimeout = .milliseconds(50)
        } _: { server in
            var random = SystemRandomNumberGenerator()
            var peers: [RawPeer] = []
            for number in 0..<100 {
                var bytes = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                // Every other one gets past the first look.
                if number.isMultiple(of: 2) { bytes[0] = 0 }
                let peer = try await RawPeer.connect(to: server.address)
                try? await peer.send(ByteBuffer(bytes: bytes))
                peers.append(peer)
            }
            for peer in peers { _ = try? await peer.allFrames() }
            try await eventually { server.server.connectionCount == 0 }
        }
    }

    /// A reset at each byte of a call: before its end nothing starts, after it the task is stopped.
    @Test func aResetAtAnyByteEndsEverything() async throws {
        try await TestServer.run { server in
            let request = Frame.request("Stubborn", on: 1)
            var call = ByteBuffer()
            call.writeFrame(.request, on: 1, data: request.data)
            for count in 0...call.readableBytes {
                let peer = try await RawPeer.connect(to: server.address)
                try await peer.send(#require(call.getSlice(at: 0, length: count)))
                if count == call.readableBytes {
                    try await eventually { server.service.stubbornRunning.load(ordering: .relaxed) == 1 }
                }
                try await peer.reset()
            }
            try await eventually { server.server.connectionCount == 0 }
            server.service.stubbornMayEnd.set()
            try await eventually { server.service.stubbornRunning.load(ordering: .relaxed) == 0 }
            #expect(server.server.count(of: .connectionAccepted) == call.readableBytes + 1)
        }
    }

    @Test func aResetStopsTheCallsTask() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Wait", on: 1)
            await server.service.waitStarted.wait()
            try await peer.reset()
            await server.service.waitCancelled.wait()
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
