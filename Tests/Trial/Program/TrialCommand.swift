import ArgumentParser
import Foundation
import Glibc
import MarvelDomain
import ProgramSupport
import TrialChecks

/// Breaks servers while clients change lists, or loads them for hours, and checks the lists.
@main
struct TrialCommand: AsyncParsableCommand {
    enum StageName: String, CaseIterable, ExpressibleByArgument {
        /// One server with its store.
        case server
        /// Replicas over PostgreSQL with a standby.
        case cluster
        /// Everything at once for long, without faults.
        case soak
    }

    static let configuration = CommandConfiguration(
        commandName: "marvel-trial",
        abstract:
            "Injects faults or load into marvel-server, and compares every list with the answers its clients got.",
        discussion: "The exit status is 0 if no promise was broken, else 1 with the reasons."
    )

    @Option(help: "server, cluster or soak.")
    var stage = StageName.server

    @Option(help: "A fault of the stage server or cluster, or all: \(TrialCommand.faultNames).")
    var fault = "all"

    @Option(help: "Stage server: how often a fault is injected.")
    var cycles = 20

    @Option(help: "Stages cluster and soak: the duration in minutes. (default: 2, soak: 120)")
    var minutes: Double?

    @Option(help: "The random seed, to repeat a run; a new one each time.")
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))

    @Option(help: "Clients that toggle at the same time.")
    var clients = 16

    @Option(help: "Lists that they share.")
    var lists = 4

    @Option(help: "Stage server: how many seconds the fault stopped halts the server.")
    var pause = 10.0

    @Option(help: "Stage cluster: the number of replicas.")
    var replicas = 3

    @Flag(help: "Stage cluster: start a cluster to try by hand, without faults.")
    var `try` = false

    @Option(help: "Stage soak: multiplies the rate of everything; 1 takes about half a core.")
    var rate = 1.0

    @Flag(help: "Stage soak: check only gross growth, for a debug build or a short run.")
    var gross = false

    @Option(help: "The folder of marvel-server and marvel-gateway.")
    var programs: String

    @Option(help: "The folder of the libraries that are preloaded into servers: clock-shift.so, disk-faults.so.")
    var libraries: String

    private static var faultNames: String {
        let server = FaultKind<ServerStage>.all.map(\.name).joined(separator: ", ")
        return server + "; " + FaultKind<Cluster>.all.map(\.name).joined(separator: ", ")
    }

    private var settings: TrialSettings {
        TrialSettings(clients: clients, lists: lists, seed: seed, pause: .seconds(pause), libraries: libraries)
    }

    func validate() throws {
        guard cycles > 0, minutes ?? 1 > 0, minutes ?? 1 <= 100_000, clients > 0, lists > 0, pause > 0, replicas > 1,
            rate > 0, rate <= 100
        else {
            throw ValidationError("All numbers must be above 0, and --replicas at least 2.")
        }
        if fault != "all", (try? kinds(FaultKind<ServerStage>.all)) == nil, (try? kinds(FaultKind<Cluster>.all)) == nil
        {
            throw ValidationError("Unknown fault \(fault): use one of \(TrialCommand.faultNames).")
        }
    }

    func run() async throws {
        switch stage {
        case .server: try await breakServer()
        case .cluster: try await breakCluster()
        case .soak: try await soak()
        }
    }

    /// Returns the faults that are wanted and that this user can make.
    private func kinds<S>(_ all: [FaultKind<S>]) throws -> [FaultKind<S>] {
        guard fault == "all" else {
            guard let kind = all.first(where: { $0.name == fault }) else {
                throw ValidationError("The stage \(stage.rawValue) has no fault \(fault).")
            }
            return [kind]
        }
        let possible = all.filter { geteuid() == 0 || !$0.needsRoot }
        if possible.count < all.count { show("Some faults are skipped, because only root can inject them.") }
        return possible
    }

    // MARK: Stages

    private func breakServer() async throws {
        for kind in try kinds(FaultKind<ServerStage>.all) {
            try await withFolder { folder in
                let stage = try ServerStage(server: programs + "/marvel-server", folder: folder)
                return (stage.cleaner, { try await test(stage, [kind], .cycles(cycles)) })
            }
        }
    }

    private func breakCluster() async throws {
        let kinds = try kinds(FaultKind<Cluster>.all)
        try await withFolder { folder in
            let cluster = try Cluster(
                server: programs + "/marvel-server",
                replicas: replicas,
                folder: folder,
                isForPeople: `try`
            )
            return (
                cluster.cleaner,
                {
                    if `try` { return try await ClusterSession(cluster: cluster).run() }
                    try await test(cluster, kinds, .time(.seconds((minutes ?? 2) * 60)))
                }
            )
        }
    }

    private func test<S: Stage>(_ stage: S, _ kinds: [FaultKind<S>], _ length: TrialLength) async throws {
        let trial = try FaultTrial(stage, kinds, settings)
        let names = kinds.map(\.name).joined(separator: ", ")
        show("\(names): \(length), \(clients) clients, \(lists) lists, seed \(seed)")
        do {
            try await trial.run(length)
        } catch {
            print(trial.report)
            print("FAILED with --stage \(self.stage.rawValue) --fault \(trial.current) --seed \(seed): \(error)")
            show("The last words:\n\(stage.lastWords)")
            throw ExitCode(1)
        }
        print(trial.report)
    }

    private func soak() async throws {
        let minutes = minutes ?? 120
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let stage = SoakStage(programs: programs, folder: folder, cleaner: Cleaner(folder: folder))
            return (
                stage.cleaner,
                {
                    show("\(minutes) minutes at rate \(rate), seed \(seed), in \(folder)")
                    let schedule = SoakSchedule(total: .seconds(minutes * 60))
                    let failures = try await stage.soak(schedule, gross ? .gross : .strict, rate: rate, seed: seed)
                    for failure in failures.prefix(30) { print("FAILED: \(failure)") }
                    guard failures.isEmpty else { throw ExitCode(1) }
                    print("Nothing grew, and no check failed.")
                }
            )
        }
    }

    /// Runs a trial in a new folder. Whatever ends it, its programs and the folder go with it.
    ///
    /// - Parameter make: Makes the stage in a folder, and returns what cleans up, and the trial.
    /// - Throws: The error of the stage or of the trial.
    private func withFolder(_ make: (String) throws -> (Cleaner, () async throws -> Void)) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marvel-trial-\(UUID().uuidString)")
        let (cleaner, trial) = try make(folder.path)
        let interrupts = SignalHandler([SIGINT, SIGTERM, SIGHUP]) { number in
            cleaner.clean()
            _exit(128 + number)
        }
        defer {
            interrupts.cancel()
            cleaner.clean()
        }
        try await trial()
    }
}
