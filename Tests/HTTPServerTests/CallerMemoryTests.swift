import NIOCore
import RPCCore
import Synchronization
import Testing

@testable import RPCServer

/// The memory for answers that gRPC clients do not take, shared by callers: one with many connections displaces nobody (W27
/// of the faults that are provided for).
@Suite(.timeLimit(.minutes(1)))
struct CallerMemoryTests {
    typealias Frame = RawHTTP2Peer.Frame

    private static let message = [UInt8](repeating: 1, count: 50_000)

    private func configuration() -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.maximumTotalUnsentBytes = 1_600_000
        configuration.writeTimeout = .seconds(60)
        configuration.quotas.anonymous = CallerLimits(callsPerSecond: 0, callBurst: 0, bytesPerSecond: 0)
        return configuration
    }

    /// Makes calls of a peer that takes no answer, as long as the server does not close the connection.
    private func hoard(_ calls: Int, on peer: inout RawHTTP2Peer) async throws {
        for stream in (0..<calls).map({ UInt32(2 * $0 + 1) }) {
            let bytes = HTTP2Peer.prefixed(Self.message)
            await peer.send([try peer.head("Echo", on: stream)])
            for start in stride(from: 0, to: bytes.readableBytes, by: 16_384) {
                let end = min(start + 16_384, bytes.readableBytes)
                guard let part = bytes.getSlice(at: start, length: end - start) else { continue }
                await peer.send([.data(part, on: stream, isEnd: end == bytes.readableBytes)])
            }
            // The answer's head says that the request was taken.
            guard await peer.nextFrame(where: { $0.type == 1 }) != nil else { return }
        }
    }

    /// Runs `body` while a caller has some connections that take no answers.
    private func beside(_ connections: Int, to server: RPCServer, _ body: () async throws -> Void) async throws {
        guard connections > 0 else { return try await body() }
        try await RawHTTP2Peer.connected(to: server, settings: [(4, 0)]) { peer in
            try await hoard(6, on: &peer)
            try await beside(connections - 1, to: server, body)
        }
    }

    /// The modest caller has one connection, for which more waits than for any of the greedy one.
    @Test func aCallerWithManyConnectionsLosesThemFirst() async throws {
        // The modest one, the good one, and then the greedy one.
        let left = Mutex<Range<UInt32>>(1..<3)
        let callers: CallerOfAddress = { _ in .address(.ipv4(left.withLock { $0.popFirst() } ?? 3)) }
        try await HTTPTestServer.run(TestMethods(), configuration(), callers: callers) { server in
            try await RawHTTP2Peer.connected(to: server, settings: [(4, 0)]) { modest in
                try await hoard(10, on: &modest)
                try await HTTP2Peer.connected(to: server) { good in
                    #expect(try await good.call("Echo", [1]).status == .ok)
                    try await beside(4, to: server) {
                        try await eventually { server.connectionCount == 5 }
                        #expect(server.count(of: .memoryLimit) == 1)
                        #expect(try await good.call("Echo", [1]).status == .ok)
                    }
                }
                // It takes its answers.
                await modest.send([.settings([(4, 1 << 20)]), .windowUpdate(1 << 20)])
                var ended = 0
                while ended < 10,
                    await modest.nextFrame(where: { $0.type == 1 && $0.flags & Frame.endStream != 0 }) != nil
                {
                    ended += 1
                }
                #expect(ended == 10)
            }
        }
    }
}
