import Foundation
import Glibc
import NIOCore
import RPCCore
import RPCServer
import Testing
import WireClients

/// Descriptors belong to a whole process, so each of these tests runs in one of its own.
@Suite struct DescriptorTests {
    @Test func theLimitIsRaisedToTheHardOne() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 64, rlim_max: 128)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let raised = DescriptorLimit.raise()
            exit(raised == 128 ? 0 : 1)
        }
    }

    @Test func connectionsAndCallsLeaveNoDescriptorBehind() async {
        await #expect(processExitsWith: .success) {
            try await Wire.framed.serve { server, _ in
                // The first ones also open what the process keeps: timers, event loops.
                try await comeAndGo(20, server)
                // The connections may have been gone at once, so that nobody has slept.
                try await Task.sleep(for: .milliseconds(1))
                let before = try openDescriptors()
                try await comeAndGo(200, server)
                try await eventually { try openDescriptors() <= before }
            }
        }
    }
}

/// Peers that call and leave without waiting for an answer.
private func comeAndGo(_ count: Int, _ server: RPCServer) async throws {
    for number in 0..<count {
        let peer = try await WirePeer.connect(.framed, to: server)
        let isHeld = number.isMultiple(of: 2)
        try await peer.send(isHeld ? .hold : .endless)
        // A server that has nothing to send takes a close for the end of one side, and still answers a held call.
        if isHeld || number.isMultiple(of: 3) { try await peer.socket.reset() } else { try await peer.socket.close() }
    }
    try await eventually { server.connectionCount == 0 }
}

private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
