import Framing
import NIOCore
import NIOEmbedded
import RPCCore
import Synchronization
import Testing
import WireClients

@testable import RPCServer

/// Callers with quotas. Those of the tests are all on this machine, so a function of the test says whose a connection
/// is.
@Suite(.timeLimit(.minutes(10)))
struct QuotaTests {
    /// Sets a rate so low that no call of a test is permitted after the burst.
    private static func burst(_ count: Int) -> (inout ServerConfiguration) -> Void {
        { $0.quotas.anonymous = CallerLimits(callsPerSecond: 1, callBurst: count, bytesPerSecond: 0) }
    }

    @Test(arguments: Wire.ports)
    func callsAboveTheRateGetARetryDelay(over wire: Wire) async throws {
        try await wire.run(callers: .one, Self.burst(10)) { server, _, peer in
            for _ in 0..<10 { #expect(try await peer.call(Call("Echo")).error == nil) }
            // One a second is permitted, so that the first few may not be refused on a slow machine.
            var refusal: RPCError?
            for _ in 0..<5 where refusal == nil { refusal = try await peer.call(Call("Echo")).error }
            let error = try #require(refusal)
            #expect((error.code, error.reason) == (.resourceExhausted, .rateLimit))
            let delay = try #require(error.retryDelay)
            #expect(delay > .zero && delay <= .seconds(1))
            #expect(server.count(of: ServerEvent.rateLimit) == 1)
            try await eventually { server.count(of: CallerEvent.callQuota) == 1 }
        }
    }

    /// One client calls as fast as it can, and ten do not notice (W27 of the faults that are provided for).
    @Test(arguments: Wire.ports)
    func aGreedyCallerIsRefusedAndModestOnesAreNot(over wire: Wire) async throws {
        // The greedy one is the first.
        let left = Mutex<Range<UInt32>>(0..<11)
        let callers = Callers { _ in left.withLock { $0.popFirst() }.map { .address(.ipv4($0)) } }
        try await wire.run(callers: callers, Self.burst(50)) { server, _, greedy in
            for _ in 0..<50 { #expect(try await greedy.call(Call("Echo")).error == nil) }
            // At once, so that time permits few of them.
            var flood = ByteBuffer()
            let numbers = try (0..<100).map { _ in
                let (number, bytes) = try greedy.encode(Call("Echo"))
                flood.writeImmutableBuffer(bytes)
                return number
            }
            try await withThrowingTaskGroup { modest in
                for _ in 0..<10 {
                    modest.addTask {
                        let peer = try await WirePeer.connect(wire, to: server)
                        for _ in 0..<40 { #expect(try await peer.call(Call("Echo")).error == nil) }
                        try await peer.socket.close()
                    }
                }
                try await greedy.socket.send(flood)
                var refusals = 0
                for number in numbers {
                    if try await greedy.answer(to: number).error?.reason == .rateLimit { refusals += 1 }
                }
                #expect(refusals >= 80)
                try await modest.waitForAll()
            }
        }
    }

    // MARK: Bytes

    /// Counts the reads that reach the socket.
    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var count = 0

        func read(context: ChannelHandlerContext) { count += 1 }
    }

    /// The server reads nothing for 1.5 s, and the client is not late for it.
    @Test func aPauseIsNoDelayOfTheCaller() async throws {
        try await RawPeer.run(callers: .one) {
            $0.quotas.anonymous = CallerLimits(callsPerSecond: 0, callBurst: 0, bytesPerSecond: 1_000)
            $0.limits.frameTimeout = .milliseconds(500)
        } _: { server, _, peer in
            let request = Frame.request("Echo", on: 1, ByteBuffer(repeating: 1, count: 3_000))
            var frame = ByteBuffer()
            frame.writeFrame(.request, on: 1, data: request.data)
            try await peer.send(try #require(frame.readSlice(length: 2_500)))
            try await eventually { server.inboundByteCount > 0 }
            try await peer.send(frame)
            #expect(try #require(try await peer.nextFrame()).status == nil)
        }
    }

    @Test func bytesAboveTheRateAreReadLater() throws {
        var quotas = CallerQuotas()
        quotas.anonymous.bytesPerSecond = 1_000
        let account = ConnectionAccount(of: .address(.ipv4(1)), in: CallerAccounts(quotas))
        let (channel, reads) = (EmbeddedChannel(), Reads())
        try channel.pipeline.syncOperations.addHandler(reads)
        let paced = PacedReads(counters: EventCounters())
        paced.account = account
        try channel.pipeline.syncOperations.addHandler(paced)

        // The embedded loop's clock stands at zero.
        channel.read()
        #expect(reads.count == 1)
        try channel.writeInbound(ByteBuffer(repeating: 0, count: 1_000))
        channel.read()
        #expect(reads.count == 2, "a second's bytes may come together")
        try channel.writeInbound(ByteBuffer(repeating: 0, count: 500))
        channel.read()
        #expect(reads.count == 2)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(499))
        #expect(reads.count == 2)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(reads.count == 3)
        channel.read()
        #expect(reads.count == 4)
        _ = try channel.finish()
    }
}
