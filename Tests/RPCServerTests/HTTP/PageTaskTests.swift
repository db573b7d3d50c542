import HTTPFraming
import NIOCore
import RPCCore
import Synchronization
import Testing
import WireClients

@testable import RPCServer

/// The tasks and the bytes of pages that are not sent yet.
@Suite(.timeLimit(.minutes(10)))
struct PageTaskTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    private static func answer(_ byteCount: Int = 1) -> PageAnswer {
        PageAnswer(PlainAnswer(200, [], body: ByteBuffer(repeating: 0, count: byteCount)))
    }

    private static func run(
        _ configure: (inout ServerConfiguration) -> Void,
        _ responder: @escaping PageResponder,
        _ body: (RPCServer) async throws -> Void
    ) async throws {
        try await TestServer.run(TestMethods(), .with(configure), wires: [.pages("pages", responder)], body)
    }

    /// A page that takes some time to end when it is cancelled; its client waits for it, or is gone.
    @Test(arguments: [true, false]) func aStoppedServerHasNoTasks(_ waits: Bool) async throws {
        let made = Signal()
        let hasEnded = Atomic(false)
        try await Self.run {
            $0.drainTimeout = .milliseconds(50)
            $0.lingerTimeout = .seconds(30)
        } _: { _ in
            made.set()
            try? await Task.sleep(for: .seconds(3_600))
            // The cancelled task could not sleep.
            await Task { try? await Task.sleep(for: .milliseconds(200)) }.value
            hasEnded.store(true, ordering: .relaxed)
            return Self.answer()
        } _: { server in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send(Self.request)
                await made.wait()
                guard waits else { return }
                server.stop()
                #expect(try await peer.answer()?.status == 503)
            }
            await server.drain()
            let isOver = hasEnded.load(ordering: .relaxed)
            #expect(isOver)
        }
    }

    @Test func aPageThatIgnoresItsCancellationIsNotAwaitedForEver() async throws {
        let (made, end) = (Signal(), Signal())
        defer { end.set() }
        try await Self.run {
            $0.drainTimeout = .milliseconds(50)
            $0.lingerTimeout = .milliseconds(50)
        } _: { _ in
            made.set()
            await Task { await end.wait() }.value
            return Self.answer()
        } _: { server in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send(Self.request)
                await made.wait()
                await server.drain()
            }
        }
    }

    /// It may be gone, and would otherwise keep its place in a queue for the whole time of a call.
    @Test func theClientThatEndsItsSideWaitsNoLongerThanALinger() async throws {
        let made = Signal()
        try await Self.run {
            $0.unaryTimeout = .seconds(3_600)
            $0.lingerTimeout = .milliseconds(50)
        } _: { _ in
            made.set()
            try? await Task.sleep(for: .seconds(3_600))
            return Self.answer()
        } _: { server in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send(Self.request)
                await made.wait()
                try await peer.finish()
                #expect(try await peer.answer()?.status == 503)
            }
        }
    }

    // MARK: Memory

    @Test func aDelayedBodyIsHeldByItsConnection() async throws {
        try await Self.run { _ in
        } _: { _ in
            var answer = Self.answer(100_000)
            answer.delay = .seconds(3_600)
            return answer
        } _: { server in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send(Self.request)
                try await eventually { server.unsentByteCount == 100_000 }
                server.stop()
                #expect(try await peer.answer()?.body.count == 100_000)
            }
        }
    }

    @Test func delayedBodiesHaveALimit() async throws {
        try await Self.run {
            $0.maximumTotalUnsentBytes = 50_000
        } _: { _ in
            var answer = Self.answer(100_000)
            answer.delay = .seconds(3_600)
            return answer
        } _: { server in
            try await HTTP1Peer.connected(to: server) { peer in
                try await peer.send(Self.request)
                #expect(try await peer.answer() == nil)
            }
            #expect(server.count(of: .memoryLimit) == 1)
        }
    }
}
