import Framing
import NIOCore
import RPCCore
import RPCServer
import Testing

/// Peers that are there and do nothing.
@Suite(.timeLimit(.minutes(1)))
struct WaitingTests {
    @Test func aConnectionWithoutACallIsClosed() async throws {
        try await TestServer.run({ $0.idleTimeout = .milliseconds(50) }) { (server, peer) async throws in
            #expect(try await peer.nextFrame() == nil)
            #expect(server.server.count(of: .idleTimeout) == 1)
        }
    }

    @Test func aConnectionWithACallIsNot() async throws {
        try await TestServer.run({ $0.idleTimeout = .milliseconds(20) }) { server in
            var status: RPCError?
            while status == nil {
                // On a busy machine it may be closed before the call is on its way.
                let peer = try await RawPeer.connect(to: server.address)
                try? await peer.call("Wait", on: 1, timeoutNanoseconds: 200_000_000)
                status = try await peer.nextStatus()
                #expect(try await peer.nextFrame() == nil, "when the call has ended, its time begins")
            }
            #expect(status?.code == .deadlineExceeded)
        }
    }

    @Test func aUnixSocketMayBeIdleAndSilent() async throws {
        try await TestServer.run(over: .unix) {
            $0.idleTimeout = .milliseconds(10)
            $0.frameTimeout = .milliseconds(10)
        } _: { server in
            let silent = try await RawPeer.connect(to: server.address)
            // Longer than either limit by a call that takes as long.
            let other = try await RawPeer.connect(to: server.address)
            try await other.call("Wait", on: 1, timeoutNanoseconds: 100_000_000)
            _ = try await other.nextFrame()
            try await silent.call("Echo", on: 1, payload: ByteBuffer(string: "still here"))
            #expect(try await silent.nextFrame()?.header.type == .response)
        }
    }

    @Test func aStreamThatWaitsForCreditTooLongIsFailed() async throws {
        try await TestServer.run({ $0.creditTimeout = .milliseconds(50) }) { server, peer in
            try await peer.sayHello(initialCredit: 1)
            for number in 0..<20 { try await peer.call("Endless", on: .number(number), flags: .remoteClosed) }
            var failed = 0
            while failed < 20, let frame = try await peer.nextFrame() {
                guard let status = try frame.status else { continue }
                #expect(status.code == .resourceExhausted)
                #expect(status.reason == .creditTimeout)
                failed += 1
            }
            #expect(failed == 20)
            #expect(server.server.count(of: .creditTimeout) == 20)
        }
    }

    @Test func manySilentPeersAreClosed() async throws {
        try await TestServer.run({ $0.frameTimeout = .milliseconds(100) }) { server in
            var silent: [RawPeer] = []
            for _ in 0..<50 { silent.append(try await RawPeer.connect(to: server.address)) }
            for peer in silent { #expect(try await peer.nextFrame() == nil) }
            #expect(server.server.count(of: .frameTimeout) == 50)
        }
    }
}
