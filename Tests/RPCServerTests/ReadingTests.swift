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

    /// A write that the kernel takes at once is not made twice.
    @Test func aLongStreamArrivesOnceAndInOrder() async throws {
        try await TestServer.run { server, peer in
            let request = Frame.request("Count", on: 1, flags: .remoteClosed, String(repeating: "n", count: 20_000))
            try await peer.send([request])
            for number in 0..<20_000 {
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

    /// The kernel has taken all of it, and nothing else is to be sent.
    @Test func anAnswerThatIsNotReadIsCountedAndEndsTheConnection() async throws {
        try await TestServer.run({ $0.writeTimeout = .milliseconds(300) }) { server in
            let peer = try await RawPeer.connect(to: server.address, reads: false)
            try await peer.send([.request("Echo", on: 1, String(repeating: "x", count: 60_000))])
            try await eventually { server.server.unsentByteCount > 0 }
            try await eventually { server.server.count(of: .writeTimeout) == 1 }
            try await eventually { server.server.connectionCount == 0 }
        }
    }

    /// Progress is what the peer acknowledged: the channel's own buffer does not shrink for long while the kernel's large
    /// one empties slowly.
    @Test func aSlowReaderIsLeftAloneUntilItStops() async throws {
        try await TestServer.run({ $0.writeTimeout = .milliseconds(500) }) { server in
            let peer = try await RawPeer.connect(to: server.address, reads: false)
            try await peer.send([.request("Endless", on: 1, flags: .remoteClosed)])
            try await eventually { server.server.unsentByteCount > 0 }
            // Some 100 KB/s at most, for four times the time in which a peer that reads nothing is closed.
            let reading = peer.channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(40)) {
                [channel = peer.channel] _ in channel.read()
            }
            try await Task.sleep(for: .seconds(2))
            #expect(server.server.count(of: .writeTimeout) == 0)
            #expect(server.server.connectionCount == 1)
            reading.cancel()
            try await eventually { server.server.count(of: .writeTimeout) == 1 }
        }
    }

    // MARK: All connections together

    /// A peer whose answers are all ready, and that reads none of them. All that is held for it is counted, also what
    /// has not become bytes yet.
    private func hoard(_ server: TestServer, answers: Int) async throws -> RawPeer {
        let peer = try await RawPeer.connect(to: server.address, reads: false)
        let payload = String(repeating: "y", count: 50_000)
        for number in 0..<answers { try await peer.send([.request("Wait", on: .number(number), payload)]) }
        try await eventually { server.server.runningTaskCount == answers }
        try await peer.send([.request("Endless", on: .number(answers), flags: .remoteClosed)])
        try await eventually { server.server.unsentByteCount > 0 }
        server.service.waitMayEnd.set()
        return peer
    }

    @Test func answersThatAreReadyAreCountedWhereverTheyWait() async throws {
        try await TestServer.run({ $0.writeTimeout = .seconds(60) }) { server in
            let peer = try await hoard(server, answers: 20)
            try await eventually { server.server.unsentByteCount > 20 * 50_000 }
            try await peer.reset()
            try await eventually { server.server.unsentByteCount == 0 }
        }
    }

    @Test func theLargestConnectionIsClosedAndNoOtherRefused() async throws {
        try await TestServer.run {
            $0.maximumTotalUnsentBytes = 1_500_000
            $0.writeTimeout = .seconds(60)
            $0.frameTimeout = .seconds(60)
        } _: { server in
            let good = try await RawPeer.connect(to: server.address)
            let modest = try await RawPeer.connect(to: server.address, reads: false)
            try await modest.send([.request("Endless", on: 1, flags: .remoteClosed)])
            try await eventually { server.server.unsentByteCount > 0 }
            _ = try await hoard(server, answers: 40)
            var number = 0
            while server.server.count(of: .memoryLimit) == 0 {
                try await good.send([.request("Echo", on: .number(number))])
                #expect(try await good.nextStatus() == nil)
                number += 1
            }
            try await eventually { server.server.connectionCount == 2 }
            #expect(server.server.unsentByteCount > 0, "the modest one is still there")
            #expect(server.server.count(of: .memoryLimit) == 1)
            // A server that stops would wait for it.
            try await modest.reset()
        }
    }
}
