import ArgumentParser
import Catalog
import Foundation
import LongRuns
import MarvelClient
import ProgramSupport
import SoakChecks

/// Does everything at once for as long as wanted, and judges whether anything grows, slows down or goes wrong.
@main
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel-soak",
        abstract: "Loads marvel-server with everything at once, and looks for what grows, slows down or goes wrong.",
        discussion: "The exit status is 0 if nothing does, else 1 with the reasons."
    )

    @Option(help: "The program marvel-server.")
    var server: String

    @Option(help: "The program marvel-gateway.")
    var gateway: String

    @Option(help: "A library that shifts a program's clock. Without it the clock stays.")
    var clockShift: String?

    @Option(help: "How long, a warm-up included.")
    var minutes = 120.0

    @Option(help: "Multiplies the rate of everything: 1 takes about half a core.")
    var rate = 1.0

    @Option(help: "Instead of everything: so many toggles of one caller, one after the other.")
    var toggles: Int?

    @Flag(help: "Judge only what nobody can miss: for a debug build, and runs of moments.")
    var gross = false

    @Option(help: "Decides what is toggled. (default: another one each time)")
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))

    func validate() throws {
        guard minutes > 0, rate > 0, rate <= 100, minutes <= 100_000 else {
            throw ValidationError("The minutes and the rate are more than 0.")
        }
        guard toggles.map({ (40...100_000_000).contains($0) }) ?? true else {
            throw ValidationError("Toggles are 40 or more.")
        }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marvel-soak-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let cleaner = Cleaner(folder: folder)
        let interrupts = SignalHandler([SIGINT, SIGTERM]) { number in
            cleaner.clean()
            _exit(128 + number)
        }
        defer {
            interrupts.cancel()
            cleaner.clean()
        }
        let stage = SoakStage(
            programs: SoakPrograms(server: server, gateway: gateway),
            folder: folder,
            cleaner: cleaner
        )
        let failures = if let toggles { try await toggle(toggles, on: stage) } else { try await soak(on: stage) }
        for failure in failures.prefix(30) { print("FAILED: \(failure)") }
        guard failures.isEmpty else { throw ExitCode(1) }
        print("Nothing grew, slowed down or went wrong.")
    }

    private func toggle(_ count: Int, on stage: SoakStage) async throws -> [String] {
        let server = try await Server(
            [
                server, "--framed", "127.0.0.1:0", "--http", "off", "--operations", "off",
                "--store", stage.path("toggles.sqlite"), "--durability", "process",
            ],
            environment: [:],
            log: stage.path("toggles.log"),
            cleaner: stage.cleaner
        )
        let failures = try await ToggleRun(server: server, count: count, store: stage.path("toggles.sqlite")).run()
        try await server.stop()
        return failures
    }

    private func soak(on stage: SoakStage) async throws -> [String] {
        let characters = BuiltInCatalog.characters()
        let clock = try clockShift.map { try ShiftedClock(library: $0, file: stage.path("clock-shift")) }
        let gateway = try await stage.startGateway()
        let catalog = try ReplacedCatalog(in: stage.folder, gateway: gateway.address)
        let filedSettings = ["--image-host", "\(gateway.address)", "--allow-edits"]
        func startFiled(_ name: String) async throws -> Server {
            let edits = ["--edits", stage.path("\(name)-edits.sqlite")]
            return try await stage.startServer(name, catalog: catalog.path, filedSettings + edits, clock: clock)
        }
        func startFetching(_ name: String) async throws -> Server {
            try await stage.startServer(name, catalog: "http://\(gateway.address)", [], clock: clock)
        }
        let filed = try await startFiled("file")
        let fetching = try await startFetching("gateway")
        let run = SoakRun(
            targets: [
                try Target(
                    "file",
                    filed,
                    files: stage.files(of: "file")
                        + [WatchedFile(name: "edits", path: stage.path("file-edits.sqlite"))],
                    hasGateway: false,
                    characters: characters,
                    seed: seed,
                    control: try await Control { try await startFiled("new-file-\($0)") }
                ),
                try Target(
                    "gateway",
                    fetching,
                    files: stage.files(of: "gateway"),
                    hasGateway: true,
                    characters: characters,
                    seed: seed &+ 1,
                    control: try await Control { try await startFetching("new-gateway-\($0)") }
                ),
            ],
            disturbances: stage.disturbances([filed, fetching], gateway: gateway, catalog: catalog, clock: clock),
            schedule: SoakSchedule(total: .seconds(minutes * 60)),
            limits: gross ? .gross : .strict,
            rate: rate
        )
        Progress.show("\(minutes) minutes at rate \(rate), seed \(seed), in \(stage.folder)")
        var failures: [String]
        do {
            failures = try await run.run()
        } catch {
            failures = ["\(error)"]
        }
        for target in run.targets {
            if !failures.isEmpty { Progress.show("The server's last words:\n\(target.server.lastWords)") }
            do { try await target.stopServers() } catch { failures.append("\(error)") }
        }
        return failures
    }
}
