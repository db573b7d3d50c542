import Framing
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Testing

/// Many peers that misbehave in the same way at once, and a good one beside them.
@Suite(.timeLimit(.minutes(1)))
struct ManyPeersTests {
    /// Each has called once, as it should, and begins a second request that it never ends.
    @Test func framesThatComeByteByByteEndTheirConnectionsAndNoOther() async throws {
        // A connection has two ends here.
        let count = min(1_000, DescriptorLimit.raise() / 3)
        try await TestServer.run({ $0.frameTimeout = .seconds(1) }) { server in
            try await server.withClient { good in
                _ = try await good.echo("first")
                var beginning = ByteBuffer()
                beginning.writeFrame(.request, on: 1, data: Frame.request("Echo", on: 1).data)
                let longest = UInt32(FrameDecoder.protocolMaximum)
                beginning.writeFrameHeader(FrameHeader(length: longest, streamID: 3, type: .request, flags: []))
                var slow: [RawPeer] = []
                for _ in 0..<count {
                    let peer = try await RawPeer.connect(to: server.address)
                    // On a busy machine the time may be up before the bytes are on their way.
                    try? await peer.send(beginning)
                    slow.append(peer)
                }
                // None is ever silent: what counts is when the frame began.
                while server.server.count(of: .frameTimeout) < count {
                    for peer in slow { peer.channel.writeAndFlush(ByteBuffer(integer: UInt8(0)), promise: nil) }
                    let answer = try await good.echo("x")
                    #expect(answer == "x")
                }
                for peer in slow { _ = try await peer.allFrames() }
            }
            #expect(server.server.count(of: .connectionAccepted) == count + 1, "the good one has kept its own")
        }
    }

    /// 500 endless streams with nobody at their ends: what waits is bounded for each connection, not for each stream.
    @Test func unreadStreamsAreBoundedAndClosed() async throws {
        let connections = 4
        let streams = 125
        try await TestServer.run({ $0.writeTimeout = .seconds(1) }) { server in
            var peers: [RawPeer] = []
            for _ in 0..<connections {
                let peer = try await RawPeer.connect(to: server.address, reads: false)
                try await peer.send((0..<streams).map { .request("Endless", on: .number($0), flags: .remoteClosed) })
                peers.append(peer)
            }
            var highest = 0
            try await eventually {
                highest = max(highest, server.server.unsentByteCount)
                return server.server.count(of: .writeTimeout) == connections
            }
            #expect(highest > 0)
            // What may wait here and in the kernel, and in each a write that was made while there was room.
            #expect(highest <= connections * 5 * PeerLimits().maximumUnsentBytes)
            #expect(server.server.count(of: .streamLimit) == 0)
            try await eventually { server.server.connectionCount == 0 }
            #expect(server.server.unsentByteCount == 0)
            let answer = try await server.echoOnce()
            #expect(answer == "x")
        }
    }
}
