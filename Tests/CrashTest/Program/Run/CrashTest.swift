import ArgumentParser
import CrashTestChecks
import Foundation
import LongRuns
import MarvelDomain
import ProgramSupport

/// Breaks a server again and again while clients change lists, and compares what is left with what they were told.
@main
struct CrashTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel-crash-test",
        abstract: "Breaks marvel-server while clients toggle favorites, and looks for what was lost or done twice.",
        discussion: "The exit status is 0 if every list was as its clients were told, else 1."
    )

    @Option(help: "The program marvel-server.")
    var server: String

    @OptionGroup var libraries: FaultLibraries

    @Option(help: "How often to break the server.")
    var cycles = 20

    @Option(help: "What is tried, so that it can be tried again. (default: another one each time)")
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))

    @Option(help: "Clients that toggle at the same time.")
    var clients = 16

    @Option(help: "Lists that they share.")
    var lists = 4

    @Option(help: "How to break it: \(FaultKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var fault = FaultKind.kill

    @Option(help: "Seconds for which --fault stopped halts the server.")
    var pause = 10.0

    func validate() throws {
        guard cycles > 0, clients > 0, lists > 0, pause > 0 else {
            throw ValidationError("Cycles, clients, lists and the pause are more than 0.")
        }
        guard fault != .clock || libraries.clockShift != nil else {
            throw ValidationError("--fault clock needs --clock-shift.")
        }
        guard fault != .brokenDisk || libraries.diskFaults != nil else {
            throw ValidationError("--fault broken-disk needs --disk-faults.")
        }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marvel-crash-\(UUID().uuidString)")
        let stage = try Stage(server: server, folder: folder.path)
        // Whatever ends this, the server and the folder go with it.
        let interrupts = SignalHandler([SIGINT, SIGTERM]) { [cleaner = stage.cleaner] number in
            cleaner.clean()
            _exit(128 + number)
        }
        defer {
            interrupts.cancel()
            stage.cleaner.clean()
        }
        let run = CrashRun(
            stage: stage,
            kind: fault,
            timeout: fault.timeout(pause: .seconds(pause)),
            fault: try fault.made(on: stage, pause: .seconds(pause), libraries: libraries, seed: seed),
            crowd: Crowd(count: clients, lists: lists, seed: seed),
            random: SplitMix64(seed: seed)
        )
        Progress.show("\(fault.rawValue), \(cycles) cycles, \(clients) clients, \(lists) lists, seed \(seed)")
        do {
            try await run.run(cycles: cycles)
        } catch {
            print(run.tally)
            print("FAILED with seed \(seed), --fault \(fault.rawValue), cycle \(run.cycle): \(error)")
            Progress.show("The server's last words:\n\(stage.lastWords)")
            throw ExitCode(1)
        }
        print(run.tally)
        if let summary = run.summary { print(summary) }
    }
}
