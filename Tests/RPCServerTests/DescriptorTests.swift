import Foundation
import Framing
import Glibc
import Logging
import NIOCore
import RPCCore
import RPCServer
import Testing

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

    @Test func aServerWithoutDescriptorsTurnsPeersAwayAndContinues() async {
        await #expect(processExitsWith: .success) {
            try await TestServer.run { server in
                let good = try await RawPeer.connect(to: server.address)
                try await good.call("Echo", on: 1)
                _ = try await good.nextFrame()
                // Libdispatch ends a process in which it finds no descriptor for a timer: let it have them before, one
                // for each clock.
                try await Task.sleep(for: .milliseconds(1), clock: .continuous)
                try await Task.sleep(for: .milliseconds(1), clock: .suspending)
                try await Task.sleep(nanoseconds: 1_000_000)
                // Sockets of clients first, so that none is missing on their side, then the limit.
                let clients = try (0..<20).map { _ in try WaitingClient() }
                let highest = try #require(clients.last).descriptor
                var limit = rlimit(rlim_cur: rlim_t(highest) + 5, rlim_max: rlim_t(highest) + 5)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                for client in clients { try client.connect(to: server.address) }
                try await eventually { server.server.count(of: .connectionShed) > 0 }
                // Pauses that double, not a loop that spins.
                let pauses = server.server.count(of: .acceptPaused)
                #expect(pauses > 0 && pauses < 20)
                try await good.call("Echo", on: 3)
                #expect(try await good.nextFrame()?.header.streamID == 3, "open connections are served")
                // When there is room again, new peers are. The first may still be turned away.
                for client in clients { client.close() }
                while (try? await server.echoOnce()) == nil { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
    }

    @Test func connectionsAndCallsLeaveNoDescriptorBehind() async {
        await #expect(processExitsWith: .success) {
            try await TestServer.run { server in
                // The first ones also open what the process keeps: timers, event loops.
                try await comeAndGo(20, server)
                let before = try openDescriptors()
                try await comeAndGo(200, server)
                try await eventually { try openDescriptors() <= before }
            }
        }
    }
}

/// Peers that call and leave without waiting for an answer.
private func comeAndGo(_ count: Int, _ server: TestServer) async throws {
    for number in 0..<count {
        let peer = try await RawPeer.connect(to: server.address)
        try await peer.call(number.isMultiple(of: 2) ? "Wait" : "Endless", on: 1, flags: .remoteClosed)
        if number.isMultiple(of: 3) { try await peer.reset() } else { try await peer.close() }
    }
    try await eventually { server.server.connectionCount == 0 }
}

private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// A socket that has its descriptor before it is connected.
private struct WaitingClient {
    let descriptor: CInt

    init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    }

    func connect(to address: ServerAddress) throws {
        guard case .tcp(let host, let port) = address else { throw POSIXError(.EINVAL) }
        let result = try SocketAddress(ipAddress: host, port: port).withSockAddr { pointer, byteCount in
            Glibc.connect(descriptor, pointer, socklen_t(byteCount))
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    func close() { Glibc.close(descriptor) }
}
