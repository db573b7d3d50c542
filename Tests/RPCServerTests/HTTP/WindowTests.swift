import Framing
import HTTPFraming
import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// The windows of HTTP/2: those of the peer, which are the credit of its streams, and those of the server.
@Suite(.timeLimit(.minutes(10)))
struct WindowTests {
    // MARK: Streams that are stuck

    /// Windows of streams as they are without settings: 65,535 bytes. The connection's is given back.
    private static let impatient = ServerConfiguration.with { $0.creditTimeout = .milliseconds(100) }
    private static let smallWindows: HTTP2Peer.Settings = []

    /// The rest of each message is longer than the windows, and all rests together are more than a connection's unsent bytes.
    @Test(arguments: [(1, 200_000), (5, 80_000), (40, 67_500)] as [(Int, UInt32)])
    func stuckStreamsDoNotStopTheOthers(_ count: Int, _ size: UInt32) async throws {
        try await HTTP2Peer.run(settings: Self.smallWindows) { server, peer in
            var stuck: [UInt32] = []
            for _ in 0..<count { stuck.append(try await peer.start("Count", HTTP2Peer.count(3, size: size))) }
            for id in stuck { #expect(try await peer.receive(65_535, on: id).data.readableBytes == 65_535) }
            #expect(try await peer.call("Later", [1], [("grpc-timeout", "60S")]).status == .ok)
            let others = try await peer.call("Count", HTTP2Peer.count(50, size: 1_000))
            #expect((others.status, others.messages.count) == (.ok, 50))
            #expect(server.unsentByteCount == count * (Int(size) + 5 - 65_535), "one message of each stream waits")
        }
    }

    /// Its status would have to wait behind the half message.
    @Test(arguments: [true, false])
    func aStuckStreamEndsByItsTimeout(_ isConnectionsWindowGivenBack: Bool) async throws {
        var configuration = ServerConfiguration.patient
        configuration.creditTimeout = .milliseconds(200)
        let settings: HTTP2Peer.Settings =
            isConnectionsWindowGivenBack
            ? Self.smallWindows : .window(1 << 24)
        try await HTTP2Peer.run(configuration, settings: settings) { server, peer in
            peer.givesBackWindows = isConnectionsWindowGivenBack
            let id = try await peer.start("Count", HTTP2Peer.count(3, size: 200_000))
            let answer = try await peer.answer(on: id)
            #expect((answer.reset, answer.data.readableBytes) == (.cancel, 65_535))
            #expect(server.count(of: .creditTimeout) == 1)
            try await eventually { server.unsentByteCount == 0 }
            #expect(try await peer.call("Fail").status == .notFound, "the connection continues")
        }
    }

    /// Between two requests of a conversation nothing else waits for the peer.
    @Test func aConversationWhoseAnswerIsStuckIsReset() async throws {
        try await HTTP2Peer.run(Self.impatient, settings: .window(10)) { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Talk"))
            await peer.send(HTTP2Peer.prefixed([UInt8](repeating: 1, count: 20)), on: id, endStream: false)
            let answer = try await peer.answer(on: id)
            #expect((answer.reset, answer.data.readableBytes) == (.cancel, 10))
            try await eventually { server.unsentByteCount == 0 }
        }
    }

    // MARK: Streams without a window

    /// The first message is made when the window opens.
    @Test func aStreamWithoutAWindowBeginsWithTheFirstByteOfIt() async throws {
        try await HTTP2Peer.run(settings: .window(0)) { server, peer in
            peer.givesBackWindows = false
            let id = try await peer.start("Count", HTTP2Peer.count(2, size: 10_000))
            #expect(try await peer.call("Fail").status == .notFound)
            #expect(server.unsentByteCount == 0)
            await peer.send([.windowUpdate(1, on: id)])
            #expect(try await peer.receive(1, on: id).data.readableBytes == 1)
            try await eventually { server.unsentByteCount == 10_004 }
            await peer.send([.windowUpdate(30_000, on: id)])
            let answer = try await peer.answer(on: id)
            #expect((answer.status, answer.data.readableBytes) == (.ok, 20_009))
        }
    }

    @Test func theRequestOfAStreamWithoutAWindowCounts() async throws {
        try await HTTP2Peer.run(settings: .window(0)) { server, peer in
            let padding = [UInt8](repeating: 1, count: 60_000)
            let id = try await peer.start("Count", HTTP2Peer.count(1, size: 4) + padding)
            try await eventually { server.inboundByteCount == 60_006 }
            await peer.send([.windowUpdate(100, on: id)])
            #expect(try await peer.answer(on: id).status == .ok)
            try await eventually { server.inboundByteCount == 0 }
        }
    }

    /// Also before the first byte of the body.
    @Test func theMetadataOfARequestThatIsNotCompleteCounts() async throws {
        try await HTTP2Peer.run { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Echo", [("x-note", String(repeating: "n", count: 4_000))]))
            try await eventually { server.inboundByteCount == 4_006 }
            await peer.send(HTTP2Peer.prefixed([7]), on: id)
            #expect(try await peer.answer(on: id).status == .ok)
            try await eventually { server.inboundByteCount == 0 }
        }
    }

    /// One of its requests is decompressed. The others stay as they came until it is answered.
    @Test func theRequestsOfAConversationWithoutAWindowStayCompressed() async throws {
        try await HTTP2Peer.run(settings: .window(0)) { server, peer in
            peer.givesBackWindows = false
            let compressed = try #require(Gzip.compress([UInt8](repeating: 1, count: 60_000)))
            var body = ByteBuffer()
            for _ in 0..<18 {
                body.writeImmutableBuffer(HTTP2Peer.prefixed(compressed, flag: 1))
            }
            var ids: [UInt32] = []
            for _ in 0..<10 {
                ids.append(try await peer.begin(HTTP2Peer.head("Talk", [("grpc-encoding", "gzip")])))
                await peer.send(body, on: ids[ids.count - 1])
            }
            #expect(try await peer.call("Fail").status == .notFound)
            try await eventually { (600_000..<800_000).contains(server.inboundByteCount) }
            for id in ids {
                await peer.send([.windowUpdate(1 << 21, on: id), .windowUpdate(1 << 21)])
                let answer = try await peer.answer(on: id)
                #expect((answer.status, answer.data.readableBytes) == (.ok, 18 * 60_005))
            }
            try await eventually { server.inboundByteCount == 0 }
        }
    }

    /// Its answers leave as its peer takes them, and the window of its requests opens again.
    @Test func aConversationContinuesWhenItsAnswersAreTaken() async throws {
        try await HTTP2Peer.run(settings: .window(0)) { server, peer in
            peer.givesBackWindows = false
            let id = try await peer.begin(HTTP2Peer.head("Talk"))
            var body = ByteBuffer()
            for _ in 0..<20 { body.writeImmutableBuffer(HTTP2Peer.prefixed([UInt8](repeating: 1, count: 10_000))) }
            await peer.send(body, on: id)
            #expect(try await peer.call("Fail").status == .notFound)
            #expect(server.inboundByteCount <= 2 * 65_536)
            await peer.send([.windowUpdate(1 << 20, on: id), .windowUpdate(1 << 20)])
            let answer = try await peer.answer(on: id)
            #expect((answer.status, answer.messages.count) == (.ok, 20))
        }
    }

    /// The bytes behind the last answered request are malformed.
    @Test func aFaultBehindWaitingRequestsIsFound() async throws {
        try await HTTP2Peer.run(settings: .window(0)) { server, peer in
            let id = try await peer.begin(HTTP2Peer.head("Talk"))
            await peer.send(ByteBuffer(bytes: [0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 1, 8, 0, 0]), on: id)
            #expect(try await peer.call("Fail").status == .notFound)
            await peer.send([.windowUpdate(1 << 10, on: id)])
            let answer = try await peer.answer(on: id)
            #expect((answer.status, answer.messages.count) == (.internalError, 2))
        }
    }

    // MARK: Answers that nobody reads

    /// Requests of some bytes ask for 20 MB, of which 4 MB are made. A call that may have changed something is answered all the same.
    @Test func unreadAnswersAreMadeUpToALimit() async throws {
        try await HTTP2Peer.run(settings: .window(0)) { server, peer in
            var ids: [UInt32] = []
            for _ in 0..<20 { ids.append(try await peer.start("Sized", [0, 0x10, 0, 0])) }
            for id in ids[4...] { #expect(try await peer.answer(on: id).reset == .refusedStream) }
            #expect(server.unsentByteCount == 4 * (5 + (1 << 20)))
            let refused = server.endedCalls.filter { $0.code == .unavailable }.reduce(0) { $0 + Int($1.counts.count) }
            #expect(refused == 16, "each call is counted as what its caller gets")
            _ = try await peer.start("Echo", [UInt8](repeating: 1, count: 60_000))
            try await eventually { server.unsentByteCount == 4 * (5 + (1 << 20)) + 60_005 }
        }
    }

    @Test func unreadStreamsAreBegunUpToALimit() async throws {
        try await HTTP2Peer.run(settings: .window(1)) { server, peer in
            peer.givesBackWindows = false
            var ids: [UInt32] = []
            for _ in 0..<20 { ids.append(try await peer.start("Count", HTTP2Peer.count(2, size: 1 << 20))) }
            for id in ids[4...] { #expect(try await peer.answer(on: id).reset == .refusedStream) }
            #expect(server.unsentByteCount == 4 * (4 + (1 << 20)))
            let refused = server.endedCalls.filter { $0.code == .unavailable }.reduce(0) { $0 + Int($1.counts.count) }
            #expect(refused == 16, "each call is counted as what its caller gets")
            #expect(try await peer.call("Fail").status == .notFound)
        }
    }

    /// The calls begin before any of their answers is known.
    @Test func unreadAnswersOfWorkAreMadeUpToALimit() async throws {
        try await HTTP2Peer.run(settings: .window(0)) { server, peer in
            for _ in 0..<20 { _ = try await peer.start("SizedLater", [0, 0x10, 0, 0]) }
            var refusedCount = 0
            while refusedCount < 16, let frame = await peer.nextFrame() {
                if frame.type == 3 { refusedCount += 1 }
            }
            #expect(refusedCount == 16)
            try await eventually { server.unsentByteCount == 4 * (5 + (1 << 20)) }
        }
    }

    // MARK: The server's windows

    /// Whichever frames a request comes in, the window is opened for all of it.
    @Test(
        arguments: [
            (100, [65_530, 65_536]), (999, [65_530, 65_531, 65_536, 70_000, 200_000]),
            (1_000, [65_530, 65_531, 65_536, 70_000, 131_072, 200_000]), (16_384, [65_531, 65_536, 98_304, 200_000]),
        ] as [(Int, [Int])]
    )
    func aRequestMayComeInFramesOfAnySize(_ frameSize: Int, _ sizes: [Int]) async throws {
        try await HTTP2Peer.run { server, peer in
            for size in sizes {
                let id = try await peer.begin(HTTP2Peer.head("Echo", [("grpc-timeout", "60S")]))
                let request = HTTP2Peer.prefixed([UInt8](repeating: 1, count: size))
                await peer.send(request, on: id, inFramesOf: frameSize)
                let answer = try await peer.answer(on: id)
                #expect((answer.status, answer.messages.first?.readableBytes) == (.ok, size))
            }
        }
    }

    /// Several at once do not stop each other.
    @Test(arguments: [("application/grpc", false), ("application/proto", false), ("application/proto", true)])
    func largeRequestsAtOnceAreAllReceived(_ contentType: String, _ namesLength: Bool) async throws {
        try await HTTP2Peer.run { server, peer in
            let message = [UInt8](repeating: 1, count: 1_000_000)
            let body = contentType == "application/grpc" ? HTTP2Peer.prefixed(message) : ByteBuffer(bytes: message)
            let length = namesLength ? [("content-length", "\(body.readableBytes)")] : []
            var ids: [UInt32] = []
            for _ in 0..<6 {
                ids.append(try await peer.begin(HTTP2Peer.head("Large", [("content-type", contentType)] + length)))
            }
            for id in ids { await peer.send(body, on: id, inFramesOf: 16_384) }
            for id in ids {
                let answer = try await peer.answer(on: id)
                #expect(answer.head?.first(name: ":status") == "200")
                #expect(answer.data.readableBytes == (contentType == "application/grpc" ? 9 : 4))
            }
        }
    }
}
