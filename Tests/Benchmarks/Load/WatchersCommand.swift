import ArgumentParser
import Catalog
import ChildProcesses
import Foundation
import Framing
import Glibc
import MarvelDomain
import NIOCore
import WireMessages

/// Many who watch one list, and one who toggles, in a process of its own so that it can be held to a core of its own.
struct WatchersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watchers",
        abstract: "Watches one list many times, toggles, and prints how long the news took, as JSON."
    )

    /// A server that is silent for so long has failed.
    private static let silenceInMilliseconds: Int32 = 10_000
    @Option(help: "The server's port on 127.0.0.1.")
    var port: Int

    @Option(help: "The port of the server that is asked to toggle, if it is another one.")
    var togglePort: Int?

    @Option(help: "The server's process id, whose CPU time is read.")
    var pid: Int32

    @Option(help: "How many watch.")
    var watchers = 10_000

    @Option(help: "How many watch on one connection; the server has a limit.")
    var perConnection = 100

    @Option(help: "How many toggles to measure, one after the other.")
    var toggles = 50

    func run() throws {
        let usage = try ProcessUsage(pid: pid)
        // A run before may have left a list and request ids.
        let list = "watched-\(UInt32.random(in: 0 ... .max))"
        let connections = try stride(from: 0, to: watchers, by: perConnection).map { first in
            try WatcherConnection(
                port: port,
                list: list,
                watchers: min(perConnection, watchers - first)
            )
        }
        // Each begins with the list as it is.
        try awaitMessages(watchers, on: connections)

        let toggler = try FrameClient(port: togglePort ?? port)
        var delays: [Double] = []
        var cpu = 0.0
        for number in 0..<toggles + toggles / 5 {
            let isWarm = number >= toggles / 5
            let (before, start) = (try usage.cpu(), monotonicTime())
            try toggler.send(Self.toggle(list, number))
            try awaitMessages(watchers, on: connections)
            if isWarm {
                delays.append(Double(monotonicTime() - start) / 1e6)
                cpu += try usage.cpu() - before
            }
            let answer = try ResponseEnvelope(decoding: toggler.awaitEnd().data, limit: .response)
            guard answer.status == nil else { throw BenchmarkError("a toggle failed") }
        }
        let report = WatchersReport(
            watchers: watchers,
            medianDelay: delays.median,
            delayP99: delays.percentile(99),
            cpuPerEvent: cpu / 1e3 / Double(watchers * toggles)
        )
        print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
    }

    /// A save that evicts the oldest of a full list. When a character's turn comes again, it has been evicted.
    private static func toggle(_ list: String, _ number: Int) -> RequestEnvelope {
        let request = ToggleFavoriteRequest(
            list: list,
            characterID: Workload.characters[number % Workload.characters.count].id,
            requestID: "\(list)-\(number)",
            desired: .saved
        )
        return RequestEnvelope("ToggleFavorite", request)
    }

    private func awaitMessages(_ count: Int, on connections: [WatcherConnection]) throws {
        var polled = connections.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
        var missing = count
        while missing > 0 {
            let ready = poll(&polled, nfds_t(polled.count), Self.silenceInMilliseconds)
            guard ready != 0 else { throw BenchmarkError("\(missing) of \(count) watchers hear nothing") }
            guard ready > 0 else { throw SocketError(call: "poll", number: errno) }
            for index in connections.indices where polled[index].revents != 0 {
                missing -= try connections[index].readable()
            }
        }
    }
}

/// The result of a load of watchers.
struct WatchersReport: Codable {
    var watchers: Int
    /// From a toggle's sending to the moment when the last watcher had the change, in milliseconds.
    var medianDelay: Double
    var delayP99: Double
    /// The server's, in microseconds; the toggle itself included.
    var cpuPerEvent: Double

    var bars: [Bar] {
        [
            Bar("an event of \(watchers) watchers: CPU", cpuPerEvent, atMost: 1.5, "us"),
            Bar("an event of \(watchers) watchers: median time to the last", medianDelay, atMost: 20, "ms"),
        ]
    }
}
