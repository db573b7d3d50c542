import MarvelDomain
import Testing

@testable import CurlTransport
@testable import Upstream

/// Cancelling and stopping: every request ends, and its connection with it.
@Suite(.timeLimit(.minutes(10)))
struct LifecycleTests {
    private let patient = HTTPResponseLimits(totalTimeout: .seconds(300), lowSpeedTime: .seconds(300))

    @Test func cancellingClosesTheConnection() async throws {
        let server = try StallingServer()
        let transport = try CurlTransport()
        let task = Task { try await transport.get(server.url, patient) }
        await server.asked.wait()
        task.cancel()
        await #expect(throws: SourceError.cancelled) { try await task.value }
        await server.closed.wait()
    }

    @Test func aCancelledTaskSendsNoRequest() async throws {
        let server = try StallingServer()
        let transport = try CurlTransport()
        let start = Event()
        let task = Task {
            await start.wait()
            return try await transport.get(server.url, patient)
        }
        task.cancel()
        start.happen()
        await #expect(throws: SourceError.cancelled) { try await task.value }
    }

    @Test func queuedCallsCanBeCancelledToo() async throws {
        let server = try StallingServer()
        let transport = try CurlTransport(CurlSettings(maximumConnections: 1))
        let first = Task { try await transport.get(server.url, patient) }
        await server.asked.wait()
        let second = Task { try await transport.get(server.url, patient) }
        second.cancel()
        await #expect(throws: SourceError.cancelled) { try await second.value }
        #expect(server.server.connectionCount == 1)
        first.cancel()
        await #expect(throws: SourceError.cancelled) { try await first.value }
    }

    @Test func cancellingOneLeavesTheOthersAlone() async throws {
        let server = try TestServer(answer: Answer.ok("answered"))
        let stalling = try StallingServer()
        let transport = try CurlTransport()
        let cancelled = Task { try await transport.get(stalling.url, patient) }
        await stalling.asked.wait()
        async let other = transport.get(server.url(), patient)
        cancelled.cancel()
        #expect(try await other.text == "answered")
        await #expect(throws: SourceError.cancelled) { try await cancelled.value }
    }

    /// Cancels at every moment of a request's life; each ends once, by answer or by cancellation.
    @Test func cancellingAtAnyMomentEndsTheRequestOnce() async throws {
        let server = try TestServer(answer: Answer.ok("answered"))
        let transport = try CurlTransport(CurlSettings(maximumConnections: 4))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    let task = Task { try await transport.get(server.url()) }
                    for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
                    task.cancel()
                    switch await task.result {
                    case .success(let response): #expect(response.text == "answered")
                    case .failure(let error): #expect(error as? SourceError == .cancelled)
                    }
                }
            }
        }
        #expect(try await transport.get(server.url()).text == "answered")
    }

    @Test func shuttingDownEndsEveryRequest() async throws {
        let server = try StallingServer()
        let transport = try CurlTransport(CurlSettings(maximumConnections: 1))
        let tasks = (0..<3).map { _ in Task { try await transport.get(server.url, patient) } }
        await server.asked.wait()
        await transport.shutdown()
        for task in tasks {
            await #expect(throws: SourceError.shutDown) { try await task.value }
        }
        await server.closed.wait()
    }

    @Test func noRequestIsSentAfterAShutdown() async throws {
        let server = try StallingServer()
        let transport = try CurlTransport()
        await transport.shutdown()
        await transport.shutdown()
        #expect(try await transport.failure(server.url) == .shutDown)
        #expect(server.server.connectionCount == 0)
    }

    /// An idle connection is closed by shutting down, and by letting go of the transport.
    @Test(arguments: [true, false])
    func idleConnectionsAreClosedInTheEnd(byShutdown: Bool) async throws {
        let closed = Event()
        let server = try TestServer { connection in
            _ = connection.request()
            connection.send(Answer.ok("answered"))
            connection.waitForClose()
            closed.happen()
        }
        var transport: CurlTransport? = try CurlTransport()
        _ = try await transport?.get(server.url())
        if byShutdown {
            await transport?.shutdown()
            await closed.wait()
        }
        transport = nil
        await closed.wait()
    }
}
