import MarvelDomain
import Synchronization
import Testing

@testable import CurlTransport
@testable import Upstream

/// Connections kept, given up, and bounded.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionTests {
    /// The peer's idle time runs out while our request is on its way: not the request's fault, so it is sent again.
    @Test func aRequestOnAClosingConnectionIsRetriedOnce() async throws {
        let server = try TestServer { connection in
            _ = connection.request()
            connection.send(Answer.ok("from \(connection.number)"))
            _ = connection.request()
        }
        let transport = try CurlTransport()
        #expect(try await transport.get(server.url()).text == "from 1")
        #expect(try await transport.get(server.url()).text == "from 2")
    }

    @Test func aRequestThatBreaksAFreshConnectionIsNotRetried() async throws {
        let server = try TestServer { _ = $0.request() }
        #expect(try await CurlTransport().failure(server.url()).kind == "interrupted")
        #expect(server.connectionCount == 1)
    }

    @Test func requestsBeyondTheConnectionsWaitAndAreAllAnswered() async throws {
        let server = try TestServer { connection in
            while let request = connection.request() {
                connection.send(Answer.ok(String(request.prefix { $0 != "\r\n" })))
            }
        }
        let transport = try CurlTransport(CurlSettings(maximumConnections: 4))
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<200 {
                group.addTask { try await transport.get(server.url("/\(number)")).text }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers == Set((0..<200).map { "GET /\($0) HTTP/1.1" }))
        #expect(server.connectionCount <= 4)
    }

    @Test func aRequestAboveTheLimitIsRefusedImmediately() async throws {
        let server = try StallingServer()
        let transport = try CurlTransport(CurlSettings(maximumConnections: 1, maximumRequests: 2))
        let refused = Event()
        let tasks = (0..<3).map { _ in
            Task { () -> SourceError? in
                do throws(SourceError) {
                    _ = try await transport.get(server.url)
                    return nil
                } catch {
                    if error == .overloaded(maximumRequests: 2) { refused.happen() }
                    return error
                }
            }
        }
        await refused.wait()
        for task in tasks { task.cancel() }
        var errors: [SourceError?] = []
        for task in tasks { errors.append(await task.value) }
        #expect(errors.filter { $0 == .overloaded(maximumRequests: 2) }.count == 1)
        #expect(errors.filter { $0 == .cancelled }.count == 2)
    }

    @Test func queuedCallsEndAtTheirOwnDeadlines() async throws {
        let server = try StallingServer()
        let transport = try CurlTransport(CurlSettings(maximumConnections: 1))
        let first = Task { try await transport.get(server.url) }
        await server.asked.wait()
        let limits = HTTPResponseLimits(totalTimeout: .milliseconds(100))
        #expect(try await transport.failure(server.url, limits) == .timedOut)
        #expect(server.server.connectionCount == 1)
        first.cancel()
        await #expect(throws: SourceError.cancelled) { try await first.value }
    }
}

/// A server that takes requests and never answers.
struct StallingServer {
    let server: TestServer
    /// A request has arrived.
    let asked: Event
    /// The client has closed a connection.
    let closed: Event

    var url: String { server.url() }

    init() throws {
        let (asked, closed) = (Event(), Event())
        self.asked = asked
        self.closed = closed
        server = try TestServer { connection in
            guard connection.request() != nil else { return }
            asked.happen()
            connection.waitForClose()
            closed.happen()
        }
    }
}
