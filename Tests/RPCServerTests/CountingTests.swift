import Logging
import MarvelDomain
import NIOCore
import RPCClient
import RPCCore
import Synchronization
import Testing
import WireClients

@testable import RPCServer

/// The counts of calls that have ended, on every wire.
@Suite(.timeLimit(.minutes(10)))
struct CountingTests {
    private static func path(_ method: String) -> String { "\(TestService.name)/\(method)" }

    /// Waits until so many calls of a method have ended with a status, and returns them.
    private func counts(
        of method: String?,
        _ code: StatusCode = .ok,
        on server: TestServer,
        reach count: Int
    ) async throws -> CallCounts {
        var found = CallCounts()
        try await eventually {
            found = server.server.endedCalls
                .filter { $0.method == method.map(Self.path) && $0.code == code }
                .reduce(into: CallCounts()) { $0.add($1.counts) }
            return found.count >= count
        }
        #expect(found.count == count)
        return found
    }

    @Test(arguments: TestServer.Transport.allCases)
    func eachAnswerIsCountedOnce(over transport: TestServer.Transport) async throws {
        try await TestServer.run(over: transport) { server in
            try await server.withClient { client in
                for _ in 0..<20 { _ = try await client.echo("x") }
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<20 { tasks.addTask { _ = try await client.echo("y") } }
                    try await tasks.waitForAll()
                }
            }
            let counts = try await counts(of: "Echo", on: server, reach: 40)
            #expect(counts.durations.count == 40)
            #expect(counts.durations.sum > 0)
        }
    }

    @Test(arguments: TestServer.Transport.wires)
    func anErrorIsCountedWithItsStatus(over transport: TestServer.Transport) async throws {
        try await TestServer.run(over: transport) { server in
            try await server.withClient(options: .withoutRetries) { client in
                for code in [StatusCode.notFound, .internalError, .notFound] {
                    _ = try? await client.unary(TestService.path("Fail"), ByteBuffer(bytes: [UInt8(code.rawValue)]))
                }
            }
            _ = try await counts(of: "Fail", .notFound, on: server, reach: 2)
            _ = try await counts(of: "Fail", .internalError, on: server, reach: 1)
        }
    }

    /// Whatever names peers call, they are one series.
    @Test(arguments: TestServer.Transport.wires)
    func unknownMethodsAreCountedTogether(over transport: TestServer.Transport) async throws {
        try await TestServer.run(over: transport) { server in
            try await server.withClient(options: .withoutRetries) { client in
                for number in 0..<100 {
                    let service = number % 2 == 0 ? TestService.name : "x\(number)"
                    _ = try? await client.unary(MethodPath(service: service, method: "M\(number)"), ByteBuffer())
                }
            }
            _ = try await counts(of: nil, .unimplemented, on: server, reach: 100)
            #expect(server.server.endedCalls.count == 1)
        }
    }

    @Test(arguments: TestServer.Transport.wires)
    func aStreamIsOneCall(over transport: TestServer.Transport) async throws {
        try await TestServer.run(over: transport) { server in
            try await server.withClient { client in
                for _ in 0..<3 {
                    let stream = client.serverStream(TestService.path("Count"), ByteBuffer(repeating: 0, count: 5))
                    for try await _ in stream {}
                }
            }
            #expect(try await counts(of: "Count", on: server, reach: 3).durations.count == 3)
        }
    }

    /// A watch lasts as long as its caller wants, which is no latency of the server.
    @Test(arguments: TestServer.Transport.wires)
    func aWatchIsACallWithoutADuration(over transport: TestServer.Transport) async throws {
        try await TestServer.run(over: transport) { server in
            try await server.withClient { client in
                for try await _ in client.serverStream(TestService.path("Watch"), ByteBuffer()) { break }
            }
            #expect(try await counts(of: "Watch", .cancelled, on: server, reach: 1).durations.count == 0)
        }
    }

    @Test(arguments: TestServer.Transport.wires)
    func aCallThatItsCallerCancelsIsCountedAsCancelled(over transport: TestServer.Transport) async throws {
        try await TestServer.run(over: transport) { server in
            try await server.withClient(options: .withoutRetries) { client in
                let call = Task { try await client.unary(TestService.path("Wait"), ByteBuffer()) }
                await server.service.waitStarted.wait()
                call.cancel()
                _ = await call.result
            }
            _ = try await counts(of: "Wait", .cancelled, on: server, reach: 1)
        }
    }

    @Test func methodsBeyondTheTableAreCountedTogether() {
        let counters = CallCounters()
        for method in [5, CallCounters.otherMethod, 40, .max] {
            counters.add(.http, method: method, .unauthenticated, nanoseconds: nil)
        }
        var calls: [CallLabels: CallCounts] = [:]
        counters.read(into: &calls)
        #expect(calls.count == 2)
        let others = CallLabels(system: .http, method: CallCounters.otherMethod, code: .unauthenticated)
        #expect(calls[others]?.count == 3)
    }
}

/// The questions of an operator to a running server.
@Suite(.timeLimit(.minutes(10)))
struct InspectionTests {
    @Test(arguments: TestServer.Transport.allCases)
    func aConnectionTellsItsOpenCalls(over transport: TestServer.Transport) async throws {
        try await TestServer.run(over: transport) { server in
            try await server.withClient(options: .withoutRetries) { client in
                async let call = client.unary(TestService.path("Wait"), ByteBuffer())
                await server.service.waitStarted.wait()
                let connections = await server.connections(atMost: 10)
                #expect(connections.map { $0.activity?.openCalls } == [1])
                #expect(connections.first?.wire == (transport == .grpc ? "http" : "framed"))
                #expect((connections.first?.peer?.port != nil) == (transport != .unix))
                server.service.waitMayEnd.set()
                _ = try await call
            }
        }
    }

    @Test func onlySoManyConnectionsAreDescribed() async throws {
        try await TestServer.run { server in
            var clients: [RPCClient] = []
            for _ in 0..<5 {
                clients.append(server.client(of: [server.address]))
                _ = try await clients[clients.count - 1].echo("x")
            }
            #expect(await server.connections(atMost: 3).count == 3)
            #expect(await server.connections(atMost: 9).count == 5)
            for client in clients { await client.shutdown() }
        }
    }
}

extension TestServer {
    /// The connections. An event loop that is late is asked again.
    fileprivate func connections(atMost count: Int) async -> [ConnectionDescription] {
        while true {
            if let connections = await server.connections(atMost: count) { return connections }
        }
    }
}

extension RPCClientOptions {
    static var withoutRetries: RPCClientOptions {
        var options = RPCClientOptions()
        options.retries = nil
        return options
    }
}
