import Framing
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireMessages

/// Broken and hostile peers: each is told or closed, and the server continues for everyone else.
@Suite(.timeLimit(.minutes(1)))
struct ServerLimitTests {
    /// A good call on the same connection, after whatever went wrong there.
    private func expectGoodCall(_ peer: RawPeer, on id: StreamID) async throws {
        try await peer.call("Echo", on: id, payload: ByteBuffer(string: "fine"))
        let frame = try #require(try await peer.nextFrame())
        #expect(frame.header.streamID == id)
        #expect(try ResponseEnvelope(decoding: frame.data, limit: .response).payload == ByteBuffer(string: "fine"))
    }

    @Test func aPayloadThatIsNotAMessageIsRefusedAndTheConnectionContinues() async throws {
        try await TestServer.run { server, peer in
            try await peer.send(.request, on: 1, ByteBuffer(repeating: 0xFF, count: 50))
            let error = try #require(try await peer.nextStatus())
            #expect(error.code == .invalidArgument)
            #expect(error.reason == .requestMalformed)
            try await expectGoodCall(peer, on: 3)
        }
    }

    @Test(arguments: [4 * 1024 * 1024 + 1, 16 * 1024 * 1024 - 1])
    func aFrameOverTheLimitIsRefusedAndSkipped(_ length: Int) async throws {
        try await TestServer.run { server, peer in
            var bytes = ByteBuffer()
            bytes.writeFrameHeader(FrameHeader(length: UInt32(length), streamID: 1, type: .request, flags: []))
            bytes.writeRepeatingByte(0, count: length)
            try await peer.send(bytes)
            let error = try #require(try await peer.nextStatus())
            #expect(error.code == .resourceExhausted)
            #expect(error.reason == .messageTooLarge)
            try await expectGoodCall(peer, on: 3)
        }
    }

    @Test func theFrameLimitIsASetting() async throws {
        try await TestServer.run({ $0.maximumFrameLength = 100 }) { server, peer in
            try await peer.call("Echo", on: 1, payload: ByteBuffer(repeating: 0, count: 200))
            #expect(try await peer.nextStatus()?.reason == .messageTooLarge)
        }
    }
}
