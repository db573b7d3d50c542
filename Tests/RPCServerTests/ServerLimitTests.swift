import Foundation
import Framing
import Logging
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing
import WireMessages

/// Broken and hostile peers: each is told or closed, and the server continues for everyone else.
@Suite(.timeLimit(.minutes(1)))
struct ServerLimitTests {
    /// A good call on the same connection, after whatever went wrong there.
    private func expectGoodCall(_ peer: RawPeer, on id: StreamID) async throws {
        try await peer.call("Echo", on: id, payload: ByteBuffer(string: "fine"))
        let frame = try #require(try await peer.nextFrame())
        #expect(frame.header.streamID == id)
        #expect(try ResponseEnvelope(decoding: frame.data, limit: .response).payload == ByteBuffer(string: "fine"))
    }

    private func expectGoodCall(_ server: TestServer) async throws {
        try await server.withClient { client in
            let answer = try await client.echo("x")
            #expect(answer == "x")
        }
    }

    @Test func aPayloadThatIsNotAMessageIsRefusedAndTheConnectionContinues() async throws {
        try await TestServer.run { server, peer in
            try await peer.send(.request, on: 1, ByteBuffer(repeating: 0xFF, count: 50))
            let error = try #require(try await peer.nextStatus())
            #expect(error.code == .invalidArgument)
            #expect(error.reason == .requestMalformed)
            try await expectGoodCall(peer, on: 3)
        }
    }

    @Test(arguments: [4 * 1024 * 1024 + 1, 16 * 1024 * 1024 - 1])
    func aFrameOverTheLimitIsRefusedAndSkipped(_ length: Int) async throws {
        try await TestServer.run { server, peer in
            var bytes = ByteBuffer()
            bytes.writeFrameHeader(FrameHeader(length: UInt32(length), streamID: 1, type: .request, flags: []))
            bytes.writeRepeatingByte(0, count: length)
            try await peer.send(bytes)
            let error = try #require(try await peer.nextStatus())
            #expect(error.code == .resourceExhausted)
            #expect(error.reason == .messageTooLarge)
            try await expectGoodCall(peer, on: 3)
        }
    }

    @Test func theFrameLimitIsASetting() async throws {
        try await TestServer.run({ $0.maximumFrameLength = 100 }) { server, peer in
            try await peer.call("Echo", on: 1, payload: ByteBuffer(repeating: 0, count: 200))
            #expect(try await peer.nextStatus()?.reason == .messageTooLarge)
        }
    }

    @Test(arguments: [[], [0, 0, 0, 8, 0], [0, 0, 0, 8, 0, 0, 0, 1, 1, 0, 9]] as [[UInt8]])
    func aFrameThatDoesNotEndInTimeClosesItsConnection(_ beginning: [UInt8]) async throws {
        try await TestServer.run({ $0.frameTimeout = .milliseconds(50) }) { (server, peer) async throws in
            // On a busy machine the time may be up before the bytes are on their way.
            if !beginning.isEmpty { try? await peer.send(ByteBuffer(bytes: beginning)) }
            #expect(try await peer.nextFrame() == nil)
        }
    }

    @Test func theCallAboveTheStreamLimitIsRefusedAndTheOthersContinue() async throws {
        let limit = 128
        try await TestServer.run { server, peer in
            try await peer.send((0..<limit).map { .request("Wait", on: .number($0)) })
            try await peer.call("Echo", on: .number(limit))
            let refused = try #require(try await peer.nextFrame())
            #expect(refused.header.streamID == .number(limit))
            let error = try #require(try refused.status)
            #expect(error.code == .resourceExhausted)
            #expect(error.reason == .streamLimit)
            #expect(error.retryDelay != nil)
            server.service.waitMayEnd.set()
            var answered: Set<StreamID> = []
            while answered.count < limit {
                let frame = try #require(try await peer.nextFrame())
                #expect(try frame.status == nil)
                answered.insert(frame.header.streamID)
            }
            #expect(answered == Set((0..<limit).map(StreamID.number)))
            try await expectGoodCall(peer, on: .number(limit + 1))
        }
    }

    @Test func theConnectionAboveTheLimitIsClosed() async throws {
        try await TestServer.run({ $0.maximumConnections = 1 }) { server in
            let first = try await RawPeer.connect(to: server.address)
            try await expectGoodCall(first, on: 1)
            let second = try await RawPeer.connect(to: server.address)
            #expect(try await second.nextFrame() == nil)
            try await expectGoodCall(first, on: 3)
        }
    }

    // MARK: Stopping and starting

    @Test func aStoppingServerFinishesItsCallsAndRefusesNewOnes() async throws {
        try await TestServer.run { server, peer in
            try await peer.call("Wait", on: 1, payload: ByteBuffer(string: "done"))
            await server.service.waitStarted.wait()
            server.server.stop()
            // The connection learns of it on its own event loop: calls that come before that are still answered.
            var id = StreamID(rawValue: 3)
            try await peer.call("Echo", on: id)
            while let frame = try await peer.nextFrame(), try frame.status == nil {
                id = StreamID(rawValue: id.rawValue + 2)
                try await peer.call("Echo", on: id)
            }
            try await peer.call("Echo", on: StreamID(rawValue: id.rawValue + 2))
            let refusal = try #require(try await peer.nextStatus())
            #expect(refusal.code == .unavailable)
            #expect(refusal.reason == .draining)
            server.service.waitMayEnd.set()
            let answer = try #require(try await peer.nextFrame())
            #expect(answer.header.streamID == 1)
            #expect(try await peer.nextFrame() == nil)
            await server.server.run()
        }
    }

    @Test func aCallThatDoesNotEndCannotKeepAServerFromStopping() async throws {
        try await TestServer.run({ $0.drainTimeout = .milliseconds(50) }) { server, peer in
            try await peer.call("Wait", on: 1)
            await server.service.waitStarted.wait()
            server.server.stop()
            #expect(try await peer.nextStatus()?.reason == .draining, "and it gets the reason")
            #expect(try await peer.nextFrame() == nil)
            await server.server.run()
        }
    }

    @Test func anAddressInUseIsAnErrorThatSaysSo() async throws {
        try await TestServer.run { server in
            let error = await #expect(throws: StartupError.self) {
                try await RPCServer.start(
                    on: [ListeningEndpoint(server.address)],
                    services: [],
                    logger: .init(label: "test")
                )
            }
            #expect(error?.code == .addressInUse)
            #expect(error?.message.contains("\(server.address)") == true)
        }
    }

    @Test func aFileWhereASocketIsWantedIsLeftAlone() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock").path
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = await #expect(throws: StartupError.self) {
            try await RPCServer.start(
                on: [ListeningEndpoint(.unix(path: path))],
                services: [],
                logger: .init(label: "test")
            )
        }
        #expect(error?.message.contains(path) == true)
        #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))
    }

    @Test func theSocketOfAServerThatWasKilledIsTakenOver() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sock").path
        let left = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let bound = try SocketAddress(unixDomainSocketPath: path).withSockAddr { bind(left, $0, socklen_t($1)) }
        #expect(bound == 0)
        close(left)
        let service = TestService().service
        let server = try await RPCServer.start(
            on: [ListeningEndpoint(.unix(path: path))],
            services: [service],
            logger: .init(label: "test")
        )
        server.stop()
        await server.run()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aSocketThatAnswersIsNotTakenOver() async throws {
        try await TestServer.run(over: .unix) { server in
            let error = await #expect(throws: StartupError.self) {
                try await RPCServer.start(
                    on: [ListeningEndpoint(server.address)],
                    services: [],
                    logger: .init(label: "test")
                )
            }
            #expect(error?.code == .addressInUse)
            try await expectGoodCall(server)
        }
    }
}
