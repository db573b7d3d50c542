import ArgumentParser
import Foundation
import LongRuns
import MarvelDomain
import ProgramSupport

/// Breaks replicas, their database and the way between them while clients change lists, and compares what is left with
/// what the clients were told.
@main
struct ClusterTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel-cluster-test",
        abstract: "Breaks replicas of marvel-server and their PostgreSQL while clients toggle favorites.",
        discussion: "The exit status is 0 if every list was as its clients were told, else 1."
    )

    @Option(help: "The program marvel-server.")
    var server: String

    @Option(help: "The folder of PostgreSQL's programs.")
    var postgres: String

    @Option(help: "How long to go on, in minutes.")
    var minutes = 2.0

    @Option(help: "What is tried, so that it can be tried again. (default: another one each time)")
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))

    @Option(help: "Replicas of marvel-server.")
    var replicas = 3

    @Option(help: "Clients that toggle at the same time.")
    var clients = 12

    @Option(help: "Lists that they share.")
    var lists = 4

    @Option(help: "Only this fault: \(ClusterFault.allCases.map(\.rawValue).joined(separator: ", ")).")
    var fault: ClusterFault?

    @Flag(help: "Start a cluster for a person to try, and break nothing.")
    var `try` = false

    @Flag(help: "Start a cluster, lose a replica and the primary, and end.")
    var tryOnce = false

    func validate() throws {
        guard minutes > 0, replicas > 1, clients > 0, lists > 0 else {
            throw ValidationError("Minutes, clients and lists are more than 0, and there are 2 replicas or more.")
        }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "marvel-cluster-\(UUID().uuidString)"
        )
        let cluster = try Cluster(
            server: server,
            postgres: postgres,
            replicas: replicas,
            folder: folder.path,
            hasPorts: `try` || tryOnce
        )
        // Whatever ends this, the programs and the folder go with it.
        let interrupts = SignalHandler([SIGINT, SIGTERM]) { [cleaner = cluster.cleaner] number in
            cleaner.clean()
            _exit(128 + number)
        }
        defer {
            interrupts.cancel()
            cluster.cleaner.clean()
        }
        guard !`try` else { return try await ClusterTrial(cluster: cluster).run() }
        guard !tryOnce else { return try await ClusterTrial(cluster: cluster).runOnce() }
        try await test(cluster)
    }

    private func test(_ cluster: Cluster) async throws {
        let faults = fault.map { [$0] } ?? ClusterFault.allCases.filter { cluster.hasDisk || $0 != .fullDisk }
        if !cluster.hasDisk { Progress.show("full-disk is left out: only root can mount a disk that is filled") }
        let run = ClusterRun(
            cluster,
            faults: faults,
            crowd: Crowd(count: clients, lists: lists, seed: seed),
            random: SplitMix64(seed: seed)
        )
        Progress.show("\(minutes) minutes, \(replicas) replicas, \(clients) clients, \(lists) lists, seed \(seed)")
        do {
            try await run.run(for: .seconds(minutes * 60))
        } catch {
            print(run.tally)
            print(
                "FAILED with seed \(seed), cycle \(run.tally.cycles + 1), \(run.fault?.rawValue ?? "start"): \(error)"
            )
            Progress.show(cluster.lastWords)
            throw ExitCode(1)
        }
        print(run.tally)
    }
}
