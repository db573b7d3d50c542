import ArgumentParser
import Foundation
import Histogram

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

    @Option(help: "The number of the first connection's list.")
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

    @Option(help: "The file in which the server's allocations are counted.")
    var allocations: String?

    func run() throws {
        let usage = try ProcessUsage(pid: pid)
        let counter = try allocations.map(AllocationCounter.init(path:))
        let residentAtStart = try usage.residentBytes()
        let idle = try IdleConnections(count: idle, port: port, call: idleCall ? workload : nil)
        let residentWithIdle = try usage.residentBytes()

        try prepare()
        let connections = try (0..<connections).map {
            try LoadConnection(port: port, workload: workload, number: firstList + $0, inFlight: inFlight)
        }
        for connection in connections { try connection.start(inFlight: inFlight) }
        var loop = LoadLoop(connections)
        _ = try loop.run(for: calls.map { .calls($0 / 4) } ?? .time(.seconds(warmup)))

        let residentBefore = try usage.residentBytes()
        let (serverBefore, loadBefore, allocated) = (try usage.cpu(), ProcessUsage.ownCPU(), counter?.value ?? 0)
        let elapsed = try loop.run(for: calls.map { .calls($0) } ?? .time(.seconds(seconds)))
        let (serverAfter, loadAfter) = (try usage.cpu(), ProcessUsage.ownCPU())
        let tally = loop.tally
        guard tally.failures == 0, tally.messages > 0 else {
            throw BenchmarkError("\(tally.messages) answers came, \(tally.failures) calls failed")
        }
        let report = LoadReport(
            calls: tally.calls,
            messages: tally.messages,
            bytes: tally.bytes,
            seconds: Double(elapsed) / 1e9,
            serverCPU: serverAfter - serverBefore,
            loadCPU: loadAfter - loadBefore,
            p50: Double(tally.latencies.valueAtPercentile(50)),
            p99: Double(tally.latencies.valueAtPercentile(99)),
            p999: Double(tally.latencies.valueAtPercentile(99.9)),
            residentBytesAtStart: residentAtStart,
            residentBytesWithIdle: residentWithIdle,
            residentBytesBefore: residentBefore,
            residentBytesAfter: try usage.residentBytes(),
            allocations: counter.map { $0.value - allocated }
        )
        print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
        // Kept open until here.
        withExtendedLifetime(idle) {}
    }

    private func prepare() throws {
        let requests = (firstList..<firstList + connections).flatMap(workload.preparation(connection:))
        guard !requests.isEmpty else { return }
        let client = try FrameClient(port: port)
        for request in requests { try client.call(request) }
    }
}
