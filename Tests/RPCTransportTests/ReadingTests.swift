import Framing
import NIOCore
import RPCCore
import RPCTransport
import Synchronization
import Testing
import WireMessages

/// Peers that do not read, or not at once. (RELIABILITY W9, W12, W16)
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

    /// Two sides that both write and do not read come free again as soon as one of them reads.
    @Test func bothSidesMayWriteAtOnce() async throws {
        try await TestServer.run { server in
            let peer = try await RawPeer.connect(to: server.address, reads: false)
            try await flood(peer, calls: 200, bytes: 60_000)
            try await eventually { server.server.count(of: .frameHeld) > 0 }
            try await peer.startReading()
            for number in 0..<200 {
                let frame = try #require(try await peer.nextFrame())
                #expect(frame.header.streamID == .number(number), "in their order, each once")
                #expect(frame.data.readableBytes > 60_000)
            }
            let other = try await server.echoOnce()
            #expect(other == "x")
        }
    }

    @Test func aPeerThatDoesNotReadIsStillObeyed() async throws {
        try await TestServer.run { server in
            let peer = try await RawPeer.connect(to: server.address, reads: false)
            var hello = ByteBuffer()
            let message = HelloMessage(
                version: 1,
                software: "test",
                initialCredit: 0,
                maximumFrameLength: 0,
                maximumStreams: 0
            )
            hello.writeFrame(.hello, on: .connection, data: message.encoded())
            try await peer.send(hello)
            try await peer.send([.request("Wait", on: 1)])
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

    @Test func whatIsHeldOfAPeerIsBounded() async throws {
        try await TestServer.run {
            $0.maximumHeldBytes = 10_000
            $0.writeTimeout = .milliseconds(300)
        } _: { server in
            let peer = try await RawPeer.connect(to: server.address, reads: false)
            try await flood(peer, calls: 1_000, bytes: 30_000)
            // Not until no connection is open: before the peer is accepted there is none either.
            try await eventually { server.server.count(of: .writeTimeout) == 1 }
            #expect(server.server.count(of: .frameHeld) <= 1, "one is larger than what may be held")
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

    /// A write that the kernel takes at once is not made twice.
    @Test func aLongStreamArrivesOnceAndInOrder() async throws {
        try await TestServer.run { server in
            let peer = try await RawPeer.connect(to: server.address)
            let request = Frame.request("Count", on: 1, flags: .remoteClosed, String(repeating: "n", count: 60_000))
            try await peer.send([request])
            for number in 0..<60_000 {
                let frame = try #require(try await peer.nextFrame())
                let received: UInt32? = frame.data.getInteger(at: frame.data.readerIndex)
                guard received == UInt32(number) else {
                    Issue.record("message \(number) holds \(received ?? 0)")
                    return
                }
            }
            #expect(try await peer.nextFrame()?.header.flags == [.remoteClosed, .noData])
        }
    }

    // MARK: All connections together

    @Test func newCallsWaitWhileTooMuchIsUnsentInAll() async throws {
        try await TestServer.run {
            $0.maximumTotalUnsentBytes = 50_000
        } _: { server in
            let good = try await RawPeer.connect(to: server.address)
            let greedy = try await RawPeer.connect(to: server.address, reads: false)
            try await greedy.send([.request("Endless", on: 1, flags: .remoteClosed)])
            var number = 0
            var refusal: RPCError?
            while refusal == nil {
                try await good.send([.request("Echo", on: .number(number))])
                refusal = try await good.nextStatus()
                number += 1
            }
            #expect(refusal?.code == .resourceExhausted)
            #expect(refusal?.reason == "OVERLOADED")
            #expect(refusal?.retryDelay != nil)
            try await greedy.close()
            repeat {
                try await good.send([.request("Echo", on: .number(number))])
                refusal = try await good.nextStatus()
                number += 1
            } while refusal != nil
            #expect(server.server.count(of: .overloaded) > 0)
        }
    }
}
