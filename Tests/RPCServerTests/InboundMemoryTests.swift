import Framing
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireClients

/// The memory of frames and requests. The frames that are left unfinished here have a minute, so that a busy machine
/// does not end them.
@Suite(.timeLimit(.minutes(10)))
struct InboundMemoryTests {
    /// The first bytes of a Request frame, as a client of one of `TestMethods` would write them.
    private func beginning(_ method: String, payload: Int, on id: StreamID = 1, sent: Int) throws -> ByteBuffer {
        let request = Frame.request(method, on: id, ByteBuffer(repeating: 1, count: payload))
        var frame = ByteBuffer()
        frame.writeFrame(.request, on: id, data: request.data)
        return try #require(frame.getSlice(at: 0, length: sent))
    }

    /// Its method takes 64 KiB: the frame is refused with its first KiB, and nothing of it is kept.
    @Test(arguments: ["Later", "NoSuchMethod"])
    func aLongFrameForAMethodThatTakesLessIsRefusedBeforeItIsThere(_ method: String) async throws {
        try await Wire.framed.serve { server, _ in
            var peers: [RawPeer] = []
            for _ in 0..<20 {
                let peer = try await RawPeer.connect(to: server.addresses[0])
                try await peer.send(beginning(method, payload: 4_000_000, sent: 300_000))
                let error = try #require(try await peer.nextStatus())
                #expect(error.code == .resourceExhausted)
                #expect(error.reason == .messageTooLarge)
                peers.append(peer)
            }
            #expect(server.inboundByteCount == 0)
            for peer in peers { try await peer.reset() }
        }
    }

    @Test func theConnectionContinuesBehindALongFrame() async throws {
        try await RawPeer.run { server, _, peer in
            let length = try beginning("Later", payload: 200_000, sent: 10).getInteger(at: 0, as: UInt32.self)
            let whole = Int(try #require(length)) + FrameHeader.byteCount
            try await peer.send(beginning("Later", payload: 200_000, sent: whole))
            #expect(try await peer.nextStatus()?.reason == .messageTooLarge)
            try await peer.send([.request("Echo", on: 3, ByteBuffer(string: "fine"))])
            #expect(try await peer.nextFrame()?.header.streamID == 3)
        }
    }

    /// No other frame is that long.
    @Test(arguments: [FrameType.data, .cancel, FrameType(rawValue: 0x77)])
    func aLongFrameOfAnotherTypeIsNotKept(_ type: FrameType) async throws {
        try await RawPeer.run { server, _, peer in
            var bytes = ByteBuffer()
            bytes.writeFrameHeader(FrameHeader(length: 4_000_000, streamID: 1, type: type, flags: []))
            bytes.writeRepeatingByte(1, count: 300_000)
            try await peer.send(bytes)
            try await eventually {
                server.count(of: .frameIgnored) + server.count(of: .inactiveStream) > 0
            }
            #expect(server.inboundByteCount == 0)
            try await peer.reset()
        }
    }
}
