import Catalog
import MarvelClient
import TrialChecks

/// The course of a soak: the mix in epochs, with checks and figures between them.
struct SoakRun {
    let targets: [Target]
    let disturbances: [Activity]
    let schedule: SoakSchedule
    let limits: Limits
    let rate: Double

    /// - Returns: What is wrong; empty if nothing is.
    func run() async throws -> [String] {
        let tally = RunTally()
        var figures = Figures()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for target in targets { try await target.follow(in: &group) }
            try await runEpochs(&figures, tally)
            group.cancelAll()
            for target in targets { await target.shutdown() }
        }
        print(figures.table())
        print(summary(of: tally))
        return tally.violations + tally.calls.lateKinds { !$0.hasPrefix("gateway") }
            + figures.failures(isComplete: limits.isComplete)
    }

    private func runEpochs(_ figures: inout Figures, _ tally: RunTally) async throws {
        let begin = ContinuousClock.now
        let mix = Mix(activities: targets.flatMap(\.activities) + disturbances, rate: rate, tally: tally)
        var reported: Int?
        while ContinuousClock.now - begin < schedule.total, tally.violations.isEmpty {
            await mix.run(for: schedule.epoch)
            let tenth = schedule.tenth(at: ContinuousClock.now - begin)
            for target in targets {
                tally.violated(try await target.violations())
                try await target.sample(&figures, in: tenth, limits)
            }
            if tenth != reported {
                show("\(elapsed(begin)): \(summary(of: tally))\n\(figures.table())")
                reported = tenth
            }
        }
    }

    private func elapsed(_ begin: ContinuousClock.Instant) -> String {
        "after \(Int((ContinuousClock.now - begin) / .seconds(1))) s"
    }

    private func summary(of tally: RunTally) -> String {
        let calls = tally.calls
        let toggles = targets.reduce(0) { $0 + $1.toggleCount }
        let errors = calls.errors.sorted { $0.key < $1.key }.map { "\n  \($0.value) x \($0.key)" }.joined()
        let counts = calls.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(calls.total) calls, \(toggles) toggles verified\n  \(counts)\(errors)"
    }
}

extension SoakStage {
    /// Runs everything at once.
    ///
    /// - Returns: What is wrong; empty if nothing is.
    func soak(_ schedule: SoakSchedule, _ limits: Limits, rate: Double, seed: UInt64) async throws -> [String] {
        let characters = BuiltInCatalog.characters()
        let gateway = try await startGateway()
        let catalog = try ReplacedCatalog(in: folder, gateway: gateway.address)
        let filed = try await startServer(
            "file",
            catalog: catalog.path,
            ["--set", "image-host=\(gateway.address)", "--allow-edits"]
        )
        let fetching = try await startServer("gateway", catalog: "http://\(gateway.address)", [])
        let targets = [
            try Target(
                "file",
                filed,
                files: files(of: "file"),
                hasGateway: false,
                characters: characters,
                seed: seed
            ),
            try Target(
                "gateway",
                fetching,
                files: files(of: "gateway"),
                hasGateway: true,
                characters: characters,
                seed: seed &+ 1
            ),
        ]
        let run = SoakRun(
            targets: targets,
            disturbances: disturbances([filed, fetching], gateway: gateway, catalog: catalog),
            schedule: schedule,
            limits: limits,
            rate: rate
        )
        var failures: [String]
        do { failures = try await run.run() } catch { failures = ["\(error)"] }
        for target in targets {
            if !failures.isEmpty { show("The server's last words:\n\(target.server.lastWords)") }
            do { try await target.server.stop() } catch { failures.append("\(error)") }
        }
        return failures
    }
}
