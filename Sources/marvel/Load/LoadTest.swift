internal import FoundationEssentials
internal import Load
internal import MarvelClient
internal import ProgramSupport

/// A load test from the first connection to the report.
struct LoadTest {
    struct Search {
        var targets: [Threshold]
        /// In calls per second.
        var firstRate: Double
        var stepDuration: Duration
    }

    var plan: LoadPlan
    var session: Session

    /// The time between two snapshots of an active run.
    private static let period = Duration.milliseconds(500)

    /// - Parameters:
    ///   - characters: The ids of existing characters to toggle.
    ///   - thresholds: The thresholds for the result.
    ///   - search: The search for the limit; nil for one run as planned.
    /// - Returns: The report, also if the task was cancelled.
    /// - Throws: `LoadConnectError` if the test could not begin.
    func run(characters: [Int64], thresholds: [Threshold], search: Search?) async throws -> LoadReport {
        let startedAt = Date().formatted(.iso8601)
        var line = session.statusLine()
        line.show("Connecting…")
        let runner: LoadRunner
        do {
            runner = try await LoadRunner(
                plan,
                servers: session.servers,
                token: session.token,
                sendsTokenInClear: session.environment.sendsTokenInClear,
                security: session.tls.security,
                characters: characters,
                runName: runName
            )
        } catch {
            line.clear()
            throw error
        }
        line.clear()
        let limit = if let search { await find(search, with: runner) } else { LimitReport?.none }
        let result =
            if let step = limit?.best { step.result } else {
                await showingProgress("", runner, plan.duration, plan.total) {
                    await checked(runner.run(plan.model, limit: plan.limit, warmUp: plan.warmUp))
                }
            }
        await runner.close()
        return LoadReport(
            plan: search.map { plan(of: limit, $0) } ?? plan,
            machine: .this(testerThreads: runner.threads),
            startedAt: startedAt,
            connectTime: runner.connectTime,
            result: result,
            verdicts: thresholds.map { Verdict($0, in: result) },
            limit: limit
        )
    }

    // MARK: The search for the limit

    private func find(_ search: Search, with runner: LoadRunner) async -> LimitReport {
        var report = LimitReport(targets: search.targets)
        var limitSearch = LimitSearch(from: search.firstRate)
        while !Task.isCancelled {
            switch limitSearch.next {
            case .finished(let limit):
                report.limit = limit
                report.isComplete = true
                return report
            case .run(let rate):
                let result = await showingProgress("\(Format.rate(rate)) asked: ", runner, search.stepDuration, nil) {
                    await checked(
                        runner.run(
                            .open(.constant(rate)),
                            limit: RunLimit(time: search.stepDuration),
                            warmUp: min(plan.warmUp, search.stepDuration / 4)
                        )
                    )
                }
                let step = LimitStep(rate: rate, result: result, targets: search.targets)
                report.steps.append(step)
                if result.ending == .serverLost { return report }
                if result.ending == .completed {
                    limitSearch.tried(rate, holds: step.holds)
                    if step.holds { report.limit = max(report.limit ?? rate, rate) }
                }
            }
        }
        return report
    }

    /// The plan with the rate of the best step.
    private func plan(of limit: LimitReport?, _ search: Search) -> LoadPlan {
        var plan = plan
        let rate = limit?.best?.rate ?? search.firstRate
        plan.model = .open(.constant(rate))
        plan.modelText = "\(Format.rate(rate)) calls a second, found by search"
        plan.duration = search.stepDuration
        plan.warmUp = min(plan.warmUp, search.stepDuration / 4)
        return plan
    }

    /// Checks after a run with failures whether a server still responds.
    private func checked(_ result: RunResult) async -> RunResult {
        guard result.needsServerCheck else { return result }
        return result.checked(serverResponds: await LoadProbe.doesAnyServerRespond(session.servers, session.tls))
    }

    private func showingProgress(
        _ prefix: String,
        _ runner: LoadRunner,
        _ duration: Duration?,
        _ total: Int?,
        _ run: () async -> RunResult
    ) async -> RunResult {
        let line = session.statusLine()
        guard line.isVisible else { return await run() }
        let watcher = Task {
            var line = line
            var earlier: LoadSnapshot?
            while !Task.isCancelled {
                let snapshot = await runner.snapshot()
                line.show(prefix + snapshot.line(since: earlier, duration: duration, total: total))
                earlier = snapshot
                try? await Task.sleep(for: LoadTest.period)
            }
            line.clear()
        }
        let result = await run()
        watcher.cancel()
        await watcher.value
        return result
    }

    /// A random name for the run, so that its toggles do not count as retries of an earlier run's toggles.
    private var runName: String {
        String(UInt64.random(in: .min ... .max), radix: 36).suffix(10).description
    }
}

extension LoadSnapshot {
    /// One line for a display: rate, 99th percentile, errors, and the remaining time or calls. The rate is measured
    /// since `earlier`, or since the start. `duration` and `total` are the plan of the run, if known.
    func line(since earlier: LoadSnapshot?, duration: Duration?, total: Int?) -> String {
        guard !isWarmingUp else { return "Warming up…" }
        let earlier = earlier.flatMap { $0.isWarmingUp ? nil : $0 } ?? LoadSnapshot()
        let seconds = (elapsed - earlier.elapsed).inSeconds
        let rate = seconds > 0 ? Double(succeeded - earlier.succeeded) / seconds : 0
        var parts = [
            "\(Format.rate(rate)) calls/s",
            "p99 \(latest.latency(atPercentile: 99).map(Format.time) ?? "-")",
            "\(Format.count(failed)) \(failed == 1 ? "error" : "errors")",
        ]
        if let duration {
            let left = max(0, (duration - .nanoseconds(elapsed)).inSeconds)
            parts.append("\(Format.decimal(left.rounded(.up), digits: 0)) s left")
        }
        if let total { parts.append("\(Format.count(calls)) of \(Format.count(total)) calls") }
        return parts.joined(separator: " · ")
    }
}
