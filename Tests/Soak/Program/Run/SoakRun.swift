import Foundation
import Glibc
import LongRuns
import MarvelClient
import SoakChecks

/// The course of a soak: the mix in epochs, with checks and measurements between them.
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
            try await group.waitForAll()
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
                try await target.measure(&figures, in: tenth, limits, tally)
            }
            if tenth != reported {
                Progress.show("\(elapsed(begin)): \(summary(of: tally))\n\(figures.table())")
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
