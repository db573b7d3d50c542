import Foundation
import Glibc
import Logging
import NIOCore
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// The rules of every port, whatever it serves. The shares of addresses are in `ConnectionRegistryTests`: all
/// connections of a test come from this machine, which has no share.
@Suite(.timeLimit(.minutes(10)))
struct PortContractTests {
    private static func start(
        _ wire: Wire,
        _ methods: TestMethods = TestMethods(),
        at address: ServerAddress = .tcp(host: "127.0.0.1", port: 0),
        socket: CInt? = nil
    ) async throws(StartupError) -> RPCServer {
        try await RPCServer.start(
            on: [ListeningEndpoint(address, wire: wire.serverWire(methods), socket: socket)],
            services: [methods.service],
            logger: Logger(label: "test")
        )
    }

    // MARK: Connections

    @Test(arguments: Wire.all) func aConnectionAboveTheLimitIsClosed(over wire: Wire) async throws {
        try await wire.run({ $0.maximumConnections = 1 }) { server, _, peer in
            #expect(try await peer.call(Call("Echo")).error == nil)
            let second = try await WirePeer.connect(wire, to: server)
            try await second.untilClosed()
            #expect(try await peer.call(Call("Echo")).error == nil)
        }
    }

    /// Strangers open many connections and finish no request. The oldest of them are closed, and others are served.
    @Test(arguments: [Wire.connectHTTP1, .pages], ["", "POST /t"])
    func aConnectionThatWaitsForARequestMakesRoom(over wire: Wire, _ beginning: String) async throws {
        try await wire.serve {
            ($0.maximumConnections, $0.makesRoom) = (64, true)
        } _: { server, _ in
            var waiting: [RawSocket] = []
            for _ in 0..<200 {
                let socket = try await RawSocket.connect(to: server.addresses[0])
                socket.post(ByteBuffer(string: beginning))
                waiting.append(socket)
            }
            for socket in waiting.prefix(100) { #expect(await socket.next() == nil) }
            for _ in 0..<20 { #expect(try await wire.isServed(by: server)) }
            #expect(server.connectionCount <= 64)
            #expect(waiting.last?.channel.isActive == true)
            for socket in waiting.suffix(64) { try? await socket.close() }
        }
    }

    /// Nor does a connection that was answered, and whose client does not close its side, keep others waiting.
    @Test(arguments: [Wire.connectHTTP1, .pages]) func anAnsweredConnectionMakesRoom(over wire: Wire) async throws {
        try await wire.serve {
            ($0.maximumConnections, $0.makesRoom, $0.lingerTimeout) = (2, true, .seconds(30))
        } _: { server, _ in
            var peers: [WirePeer] = []
            for _ in 0..<6 {
                let peer = try await WirePeer.connect(wire, to: server, closesWithServer: false)
                #expect(try await peer.call(Call("Echo", [("Connection", "close")])).error == nil)
                peers.append(peer)
            }
            for peer in peers { try? await peer.socket.close() }
        }
    }

    // MARK: Headers

    @Test(arguments: [Wire.connectHTTP1, .pages], [(1, 20_000), (300, 1), (2_000, 1)])
    func headersHaveALimit(over wire: Wire, _ size: (count: Int, byteCount: Int)) async throws {
        try await wire.run { _, _, peer in
            let headers = (0..<size.count).map { ("X-\($0)", String(repeating: "x", count: size.byteCount)) }
            let error = try await peer.call(Call("Echo", headers)).error
            #expect(error?.message.hasPrefix("status 431") == true)
            try await peer.untilClosed()
        }
    }

    // MARK: Descriptors

    /// Descriptors belong to a whole process, so this runs in one of its own.
    @Test func aServerWithoutDescriptorsTurnsPeersAwayAtEveryPortAndContinues() async {
        await #expect(processExitsWith: .success) {
            let (methods, wires) = (TestMethods(), [Wire.framed, .gRPC, .pages])
            try await TestServer.run(methods, wires: wires.map { $0.serverWire(methods) }) { server in
                let good = try await WirePeer.connect(.framed, to: server)
                #expect(try await good.call(Call("Echo")).error == nil)
                // Libdispatch ends a process in which it finds no descriptor for a timer: let it have them before, one
                // for each clock.
                try await Task.sleep(for: .milliseconds(1), clock: .continuous)
                try await Task.sleep(for: .milliseconds(1), clock: .suspending)
                try await Task.sleep(nanoseconds: 1_000_000)
                // Sockets of clients first, so that none is missing on their side, then the limit.
                let clients = (0..<30).map { _ in socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) }
                let highest = rlim_t(try #require(clients.last))
                var limit = rlimit(rlim_cur: highest + 5, rlim_max: highest + 5)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                for (number, client) in clients.enumerated() {
                    guard case .tcp(let host, let port) = server.addresses[number % wires.count] else { return }
                    let address = try SocketAddress(ipAddress: host, port: port)
                    #expect(address.withSockAddr { connect(client, $0, socklen_t($1)) } == 0)
                }
                try await eventually { server.count(of: .connectionShed) >= wires.count }
                // Pauses that double, not loops that spin.
                let pauses = server.count(of: .acceptPaused)
                #expect(pauses > 0 && pauses < 20 * wires.count)
                #expect(try await good.call(Call("Echo")).error == nil, "open connections are served")
                // When there is room again, new peers are. The first may still be turned away.
                for client in clients { close(client) }
                for (port, wire) in wires.enumerated() {
                    while (try? await wire.isServed(by: server, port: port)) != true {
                        try await Task.sleep(for: .milliseconds(1))
                    }
                }
                try await good.socket.close()
            }
        }
    }

    // MARK: Addresses

    @Test(arguments: Wire.all, Wire.Socket.allCases)
    func anAddressInUseIsAnErrorThatSaysSo(over wire: Wire, _ socket: Wire.Socket) async throws {
        try await wire.serve(over: socket) { (server, _) async throws in
            let error = await #expect(throws: StartupError.self) {
                _ = try await Self.start(wire, at: server.addresses[0])
            }
            #expect(error?.code == .addressInUse)
            #expect(error?.message.contains("\(server.addresses[0])") == true)
            #expect(try await wire.isServed(by: server), "the first server keeps it")
        }
    }

    @Test(arguments: Wire.all)
    func anAddressThatCannotBeUsedIsAnErrorInWords(over wire: Wire) async throws {
        let absent = ServerAddress.unix(path: "/absent/socket")
        let error = await #expect(throws: StartupError.self) { _ = try await Self.start(wire, at: absent) }
        #expect(error == StartupError(.addressNotAvailable, "cannot listen at \(absent): No such file or directory"))
        let long = ServerAddress.unix(path: "/" + String(repeating: "a", count: 108))
        let refusal = await #expect(throws: StartupError.self) { _ = try await Self.start(wire, at: long) }
        #expect(refusal == StartupError(.configuration, "the path of \(long) is too long for a socket"))
    }

    /// As from systemd. The socket stays open, and connections wait in its queue for the next server.
    @Test(arguments: Wire.all) func aSocketThatIsPassedInOutlivesItsServer(over wire: Wire) async throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let wanted = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        #expect(wanted.withSockAddr { bind(descriptor, $0, socklen_t($1)) } == 0)
        #expect(listen(descriptor, 16) == 0)
        var (bound, byteCount) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        withUnsafeMutableBytes(of: &bound) { bytes in
            let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            #expect(getsockname(descriptor, address, &byteCount) == 0)
        }
        let address = ServerAddress.tcp(host: "127.0.0.1", port: Int(UInt16(bigEndian: bound.sin_port)))

        let first = try await Self.start(wire, at: address, socket: descriptor)
        #expect(try await wire.isServed(by: first))
        first.stop()
        await first.run()
        let waiting = try await WirePeer.connect(wire, to: first)
        let number = try await waiting.send(Call("Echo", ByteBuffer(string: "x")))
        let second = try await Self.start(wire, at: address, socket: descriptor)
        #expect(try await waiting.answer(to: number).isMessage("x"))
        try await waiting.socket.close()
        second.stop()
        await second.run()
    }

    // MARK: Unix sockets

    private static func path() -> String {
        FileManager.default.temporaryDirectory.appending(path: "port-\(UUID().uuidString.prefix(8))").path
    }

    @Test func aFileWhereASocketIsWantedIsLeftAlone() async throws {
        let path = Self.path()
        try Data("precious".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = await #expect(throws: StartupError.self) {
            _ = try await Self.start(.framed, at: .unix(path: path))
        }
        #expect(error?.message.contains(path) == true)
        #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))
    }

    @Test func theSocketOfAServerThatWasKilledIsTakenOver() async throws {
        let (path, left) = (Self.path(), socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0))
        let bound = try SocketAddress(unixDomainSocketPath: path).withSockAddr { bind(left, $0, socklen_t($1)) }
        #expect(bound == 0)
        close(left)
        let server = try await Self.start(.framed, at: .unix(path: path))
        server.stop()
        await server.run()
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
