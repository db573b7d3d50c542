import Framing
import NIOCore
import RPCCore
import RPCServer
import Synchronization
import Testing

/// The memory for peers that do not read, shared by callers: one with many connections displaces nobody (W27 of the faults
/// that are provided for).
@Suite(.timeLimit(.minutes(1)))
struct CallerMemoryTests {
    private static let blocks = 20
    private static let payload = String(repeating: "y", count: 50_000)

    /// Connects a peer that reads nothing, and whose calls will be answered with 50,000 bytes each when `waitMayEnd` is set.
    private func hoarder(_ server: TestServer, answers: Int) async throws -> RawPeer {
        let peer = try await RawPeer.connect(to: server.address, reads: false)
        let (tasks, bytes) = (server.server.runningTaskCount, server.server.unsentByteCount)
        for number in 0..<answers { try await peer.send([.request("Wait", on: .number(number), Self.payload)]) }
        try await eventually { server.server.runningTaskCount == tasks + answers }
        let count = String(repeating: "z", count: Self.blocks)
        try await peer.send([.request("Blocks", on: .number(answers), flags: .remoteClosed, count)])
        try await eventually { server.server.unsentByteCount > bytes }
        return peer
    }

    /// The modest caller has one connection, for which more waits than for any of the greedy one.
    @Test func aCallerWithManyConnectionsLosesThemFirst() async throws {
        // The modest one, the good one, and then the greedy one.
        let left = Mutex<Range<UInt32>>(1..<3)
        let callers = TestServer.Callers { _ in .address(.ipv4(left.withLock { $0.popFirst() } ?? 3)) }
        try await TestServer.run(callers: callers) {
            $0.writeTimeout = .seconds(60)
            $0.frameTimeout = .seconds(60)
            $0.quotas.anonymous = CallerLimits(callsPerSecond: 0, callBurst: 0, bytesPerSecond: 0)
        } _: { server in
            let modest = try await hoarder(server, answers: 12)
            let good = try await RawPeer.connect(to: server.address)
            var greedy: [RawPeer] = []
            for _ in 0..<4 { greedy.append(try await hoarder(server, answers: 6)) }
            server.service.waitMayEnd.set()
            try await eventually { server.server.unsentByteCount > 36 * 50_000 }

            var configuration = server.server.configuration
            configuration.maximumTotalUnsentBytes = server.server.unsentByteCount - 100_000
            server.server.apply(configuration)
            let last = try await RawPeer.connect(to: server.address, reads: false)
            greedy.append(last)
            let count = String(repeating: "z", count: Self.blocks)
            try await last.send([.request("Blocks", on: 1, flags: .remoteClosed, count)])
            try await eventually { server.server.count(of: .memoryLimit) > 0 }

            try await good.send([.request("Echo", on: 1)])
            #expect(try await good.nextStatus() == nil)
            try await modest.beginReading()
            var answers = 0
            while answers < 12, let frame = try await modest.nextFrame() {
                guard frame.header.type == .response else { continue }
                #expect(try frame.status == nil)
                answers += 1
            }
            #expect(answers == 12)
            for peer in greedy { try? await peer.reset() }
        }
    }
}
