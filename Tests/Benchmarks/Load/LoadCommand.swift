import ArgumentParser
import ChildProcesses
import Foundation
import Load
import MarvelDomain
import RPCCore

/// One load on one server, in a process of its own so that it can be held to a core of its own.
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Loads one server and prints what that cost it, as JSON."
    )

    @Option(help: "The server's port on 127.0.0.1.")
    var port: Int

    @Option(help: "The server's process id, whose CPU time and memory are read.")
    var pid: Int32

    @Option(help: "What to ask for.")
    var workload = Workload.page

    @Option(help: "Connections.")
    var connections = 16

    @Option(help: "Calls in flight on each connection.")
    var inFlight = 16

    @Option(help: "The number of the first list that is toggled.")
    var firstList = 0

    @Option(help: "Connections beside these that say Hello and then nothing.")
    var idle = 0

    @Flag(help: "Each idle connection makes one call before it falls silent.")
    var idleCall = false

    @Option(help: "Seconds before measuring.")
    var warmup = 0.5

    @Option(help: "Seconds to measure.")
    var seconds = 2.0

    @Option(help: "Calls to measure in place of seconds; a quarter as many go before.")
    var calls: Int?

    func run() throws { try wait { try await load() } }

    private func load() async throws {
        let usage = try ProcessUsage(pid: pid)
        let residentAtStart = try usage.residentBytes()
        let idle = try IdleConnections(count: idle, port: port, callsPage: idleCall)
        let residentWithIdle = try usage.residentBytes()

        if workload == .favorites {
            let filling = try await runner(.toggle, connections: 1, inFlight: 1)
            _ = await filling.run(.closed, limit: RunLimit(calls: 5 * connections), warmUp: .zero)
            await filling.close()
        }
        let runner = try await runner(workload, connections: connections, inFlight: inFlight)
        _ = await runner.run(.closed, limit: limit(share: 0.25, seconds: warmup), warmUp: .zero)

        let residentBefore = try usage.residentBytes()
        let serverBefore = try usage.cpu()
        let result = await runner.run(.closed, limit: limit(share: 1, seconds: seconds), warmUp: .zero)
        let serverAfter = try usage.cpu()
        let tally = result.overall
        guard tally.failed == 0, tally.succeeded > 0 else {
            throw BenchmarkError("\(tally.succeeded) calls were answered, \(tally.failed) failed")
        }
        func latency(_ percentile: Double) -> Double {
            Double(tally.latency.value(atPercentile: percentile) ?? 0)
        }
        let report = LoadReport(
            calls: tally.succeeded,
            messages: workload == .stream ? tally.pages : tally.succeeded,
            bytes: tally.bytes,
            seconds: result.elapsed / .seconds(1),
            serverCPU: serverAfter - serverBefore,
            p50: latency(50),
            p99: latency(99),
            p999: latency(99.9),
            residentBytesAtStart: residentAtStart,
            residentBytesWithIdle: residentWithIdle,
            residentBytesBefore: residentBefore,
            residentBytesAfter: try usage.residentBytes()
        )
        print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
        await runner.close()
        // Kept open until here.
        withExtendedLifetime(idle) {}
    }

    private func limit(share: Double, seconds: Double) -> RunLimit {
        calls.map { RunLimit(calls: Int(Double($0) * share)) } ?? RunLimit(time: .seconds(seconds))
    }

    /// Connects. Each connection's calls go to all lists in turn.
    private func runner(_ workload: Workload, connections: Int, inFlight: Int) async throws -> LoadRunner {
        var plan = LoadPlan(Mix(only: workload.operation))
        (plan.connections, plan.concurrency, plan.timeout) = (connections, inFlight, .seconds(60))
        (plan.queries, plan.pageSize) = (Workload.queries, Workload.pageSize)
        (plan.maximumPages, plan.lists) = (Workload.pagesPerStream, self.connections)
        plan.firstList = firstList
        return try await LoadRunner(
            plan,
            servers: [ServerEndpoint(.tcp(host: "127.0.0.1", port: port))],
            characters: Workload.characters.map(\.id),
            runName: String(UInt32.random(in: 0 ... .max), radix: 36)
        )
    }
}

/// The result of a load. Loads are processes of their own, and this is the line that they print, as JSON.
struct LoadReport: Codable {
    var calls: Int
    /// Answers and pages: a streamed call has many.
    var messages: Int
    var bytes: Int
    var seconds: Double
    /// CPU time in nanoseconds, all threads, user and system.
    var serverCPU: Double
    /// The median time of a call, in nanoseconds; 0 if the time was too short for one to end.
    var p50: Double
    var p99: Double
    var p999: Double
    /// The server's resident memory when the load began, when idle connections had joined, when the measuring began
    /// and when it ended.
    var residentBytesAtStart: Int
    var residentBytesWithIdle: Int
    var residentBytesBefore: Int
    var residentBytesAfter: Int
}
