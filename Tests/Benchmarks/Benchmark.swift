import ArgumentParser
import Foundation
import NIOCore
import Synchronization

/// Measures what a page costs the server. `deploy/bench` builds it, starts a server and runs it.
@main
struct Benchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel-bench",
        abstract: "Measures unary pages: server CPU per page, pages per second, resident memory."
    )

    @Option(help: "The server's port on 127.0.0.1.")
    var port: Int

    @Option(help: "The server's process id, whose CPU time is read.")
    var pid: Int32

    @Option(help: "Connections.")
    var connections = 16

    @Option(help: "Calls in flight on each connection.")
    var inFlight = 16

    @Option(help: "Seconds to measure, after a second of warm-up.")
    var seconds = 5

    @Option(help: "What to search for.")
    var query = "sp"

    func run() async throws {
        let counters = PageLoad.Counters()
        let load = PageLoad(connections: connections, inFlight: inFlight, query: query)
        let channels = try await load.start(host: "127.0.0.1", port: port, counters: counters)
        try await Task.sleep(for: .seconds(1))

        let clock = ContinuousClock()
        let (before, began) = (try ProcessUsage(pid: pid), clock.now)
        let (firstPage, firstByte) = (counters.pages.load(ordering: .relaxed), counters.bytes.load(ordering: .relaxed))
        try await Task.sleep(for: .seconds(seconds))
        let (after, elapsed) = (try ProcessUsage(pid: pid), clock.now - began)
        let pages = counters.pages.load(ordering: .relaxed) - firstPage
        let bytes = counters.bytes.load(ordering: .relaxed) - firstByte
        for channel in channels { try await channel.close() }

        guard pages > 0, counters.failures.load(ordering: .relaxed) == 0 else {
            throw ValidationError("the server answered \(pages) pages, and some calls failed")
        }
        let cpu = (after.cpu - before.cpu) / .microseconds(1)
        print("connections x in flight   \(connections) x \(inFlight)")
        print("pages per second          \(Int(Double(pages) / (elapsed / .seconds(1))))")
        print("bytes per page            \(bytes / pages)")
        print("server CPU per page       \(String(format: "%.2f", cpu / Double(pages))) us")
        print("server resident memory    \(after.residentBytes / 1_000_000) MB")
    }
}
