import Framing
import NIOCore
import RPCCore
import RPCServer
import Synchronization
import Testing

/// Peers that do not read, or not at once.
@Suite(.timeLimit(.minutes(1)))
struct ReadingTests {
    /// 20 MB, more than the buffers of two sockets.
    private static let manyBlocks = String(repeating: "b", count: 400)

    /// Sends requests for far more than any socket takes, and reads nothing.
    private func flood(_ peer: RawPeer, calls: Int, bytes: Int) async throws {
        let payload = String(repeating: "x", count: bytes)
        for number in 0..<calls {
            // Not awaited: the server stops reading at some point.
            let frame = Frame.request("Echo", on: .number(number), payload)
            var encoded = ByteBuffer()
            encoded.writeFrame(.request, on: frame.header.streamID, data: frame.data)
            peer.channel.writeAndFlush(encoded, promise: nil)
        }
    }

    @Test func aPeerThatDoesNotReadIsStillObeyed() async throws {
        try await TestServer.run { server in
            let peer = try await RawPeer.connect(to: server.address, reads: false)
            try await peer.send([.hello(), .request("Wait", on: 1)])
            await server.service.waitStarted.wait()
            try await peer.send([.request("Blocks", on: 3, flags: .remoteClosed, Self.manyBlocks)])
            // Requests are held once nothing more can be sent. The Cancel comes behind them.
            var number = 2
            while server.server.count(of: .frameHeld) == 0 {
                try await peer.send([.request("Echo", on: .number(number))])
                number += 1
                try await Task.sleep(for: .milliseconds(1))
            }
            try await peer.send([.cancel(1)])
            await server.service.waitCancelled.wait()
            try await peer.reset()
        }
    }

    @Test func bufferedBytesOfAPeerAreBounded() async throws {
        try await TestServer.run {
            $0.maximumHeldBytes = 10_000
            $0.writeTimeout = .milliseconds(300)
        } _: { server in
            let peer = try await RawPeer.connect(to: server.address, reads: false)
            try await flood(peer, calls: 1_000, bytes: 30_000)
            // Not until no connection is open: before the peer is accepted there is none either.
            try await eventually { server.server.count(of: .writeTimeout) == 1 }
            #expect(server.server.count(of: .frameHeld) <= 1, "one is larger than the buffer limit")
        }
    }

    /// What work finds while the peer does not read is not made into bytes.
    @Test func answersThatWereFoundMeanwhileArriveWhenThePeerReads() async throws {
        try await TestServer.run { server in
            let peer = try await RawPeer.connect(to: server.address, reads: false)
            let payload = String(repeating: "y", count: 50_000)
            try await peer.send((0..<10).map { .request("Wait", on: .number($0), payload) })
            await server.service.waitStarted.wait()
            try await peer.send([.request("Blocks", on: .number(10), flags: .remoteClosed, Self.manyBlocks)])
            // Held behind it: the blocks have filled all there is to fill.
            var number = 11
            while server.server.count(of: .frameHeld) == 0 {
                try await peer.send([.request("Echo", on: .number(number))])
                number += 1
                try await Task.sleep(for: .milliseconds(1))
            }
            server.service.waitMayEnd.set()
            try await peer.startReading()
            var answered: Set<StreamID> = []
            while answered.count < 10, let frame = try await peer.nextFrame() {
                if frame.header.type == .response, frame.header.streamID < .number(10) {
                    answered.insert(frame.header.streamID)
                }
            }
            #expect(answered.count == 10)
            try await peer.reset()
        }
    }
}
