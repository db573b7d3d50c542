import LoadTestServer
import RPCCore
import Testing
import WireMessages

@testable import Load

extension LoadTestServer {
    /// Runs a load test of this server. Calls are made one after the other, unless `change` says otherwise.
    func load(
        _ mix: Mix,
        total: Int? = nil,
        _ change: (inout LoadPlan) -> Void = { _ in }
    ) async throws -> RunResult {
        var plan = LoadPlan(mix)
        plan.total = total
        change(&plan)
        let characters = LoadTestServer.characters
        let runner = try await LoadRunner(
            plan,
            servers: [ServerEndpoint(address)],
            characters: characters,
            runName: "test"
        )
        let result = await runner.run(plan.model, limit: plan.limit, warmUp: plan.warmUp)
        await runner.close()
        return result
    }
}

extension RunResult {
    fileprivate func calls(_ operation: LoadOperation) -> Int? {
        recorder.operations.first { $0.operation == operation }?.tally.calls
    }
}

/// Loads of the same machine, one after the other.
@Suite(.serialized) struct LoadRunnerTests {
    @Test(arguments: [(LoadOperation.stream, 0, 30), (.walk, 0, 30), (.stream, 2, 20), (.walk, 2, 20)])
    func wholeResultsArePagesWithAFirstOne(
        _ test: (operation: LoadOperation, maximum: Int, pages: Int)
    ) async throws {
        try await LoadTestServer.run { server in
            let result = try await server.load(Mix(only: test.operation), total: 10) {
                $0.connections = 2
                $0.maximumPages = test.maximum
            }
            #expect(result.overall.succeeded == 10)
            #expect(result.overall.pages == test.pages)
            #expect(result.overall.firstPage?.count == 10)
            #expect(result.overall.latency.count == 10)
        }
    }

    @Test func aTokenThatMayNotBeSentIsReportedBeforeTheRun() async throws {
        try await LoadTestServer.run { server in
            let error = await #expect(throws: RPCError.self) {
                _ = try await LoadRunner(
                    LoadPlan(Mix(only: .pages)),
                    servers: [ServerEndpoint(server.address), ServerEndpoint(.tcp(host: "192.0.2.1", port: 1))],
                    token: "secret",
                    characters: [],
                    runName: "test"
                )
            }
            #expect(error?.reason == .tokenInClear)
            #expect(server.seen.searches.isEmpty)
        }
    }

    @Test func aWalkFollowsTheTokens() async throws {
        try await LoadTestServer.run { server in
            _ = try await server.load(Mix(only: .walk), total: 2) { $0.pageSize = 2 }
            #expect(server.seen.searches.map(\.pageToken) == ["", "1", "2", "", "1", "2"])
            #expect(server.seen.searches.allSatisfy { $0.pageSize == 2 })
        }
    }

    @Test func aMixKeepsItsWeights() async throws {
        try await LoadTestServer.run { server in
            let mix = try #require(Mix("pages=2,toggle=1,favorites=1"))
            let result = try await server.load(mix, total: 40)
            #expect(result.calls(.pages) == 20)
            #expect(result.calls(.toggle) == 10)
            #expect(result.calls(.favorites) == 10)
        }
    }

    @Test func aCallWhoseTimeIsUpFailsAndItsLatencyCounts() async throws {
        try await LoadTestServer.run { server in
            let result = try await server.load(Mix(only: .pages), total: 4) {
                $0.queries = ["ok", "silent"]
                $0.timeout = .milliseconds(60)
            }
            #expect(result.recorder.failures.keys.allSatisfy { $0.code == "DEADLINE_EXCEEDED" })
            // On a busy machine the others may be late too.
            #expect(result.overall.failed >= 2)
            #expect(result.overall.latency.count == 4)
            let slowest = try #require(result.overall.latency.maximum)
            #expect(slowest >= 59_000_000)
        }
    }

    @Test func aWalkWithoutAnEndEndsSoonAfterTheRun() async throws {
        try await LoadTestServer.run { server in
            let result = try await server.load(Mix(only: .walk)) {
                $0.duration = .milliseconds(50)
                $0.queries = ["endless"]
                $0.timeout = .milliseconds(100)
            }
            #expect(result.overall.calls == 0)
            #expect(server.seen.searches.count > 1)
        }
    }

    @Test func warmingUpIsNotCounted() async throws {
        try await LoadTestServer.run { server in
            let result = try await server.load(Mix(only: .pages), total: 5) { $0.warmUp = .milliseconds(20) }
            #expect(result.overall.calls == 5)
            #expect(server.seen.searches.count > 5)
        }
    }

    @Test func moreConnectionsThanFilesAreRefusedBeforeTheyAreOpened() {
        #expect {
            try LoadRunner.allowFiles(for: 1 << 40)
        } throws: { error in
            "\(error)".hasPrefix("1099511627776 connections need as many open files")
        }
    }

    @Test func latenciesCountFromWhenACallWasDue() async throws {
        try await LoadTestServer.run { server in
            // Six calls due within 6 ms, in a single place that the silent ones hold for 100 ms each.
            let result = try await server.load(Mix(only: .pages), total: 6) {
                $0.model = .open(.constant(1_000))
                $0.queries = ["ok", "silent"]
                $0.timeout = .milliseconds(100)
            }
            #expect(result.overall.calls == 6)
            #expect(result.recorder.pacing.lateStarts >= 4)
            // The last one waited for three others.
            let slowest = try #require(result.overall.latency.maximum)
            #expect(slowest >= 290_000_000)
        }
    }
}
