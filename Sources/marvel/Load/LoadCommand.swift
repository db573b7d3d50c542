internal import ArgumentParser
internal import FoundationEssentials
internal import Load
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import Terminal

struct LoadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Test a server under load and report the results.",
        usage: "marvel load [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel load --connections 16 --concurrency 16",
                "marvel load --rps 2000 --threshold 'p99<20ms' --html report.html",
                "marvel load --find-limit 'p99<5ms'",
            ],
            """
            Without a rate, each call starts when the one before it ends (closed model). With --rps or --rps-end, \
            calls start on schedule, and latency counts from the scheduled start (open model). Failed calls are not \
            retried. Connections are distributed round-robin over the servers. Ctrl-C ends the test, and the report \
            covers the calls until then.
            """,
            statuses: [
                ("78", "no server answered at the end, or most calls reached no server"),
                ("99", "a threshold failed, or no rate met the limit"),
            ]
        )
    )

    @OptionGroup(title: "Calls") var calls: CallOptions
    @OptionGroup(title: "Load") var pace: PaceOptions
    @OptionGroup(title: "Report") var reports: ReportOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    /// No: each failure counts, also that of the first call.
    var retries: Bool { false }

    func validate() throws {
        try checkFirstPage()
        try checkStandardOutput()
        guard !reports.findLimit.isEmpty else {
            guard pace.rpsStart == nil || pace.rpsEnd != nil else {
                throw ValidationError("--rps-start is for --rps-end or --find-limit: a constant rate is --rps.")
            }
            return
        }
        guard pace.rps == nil, pace.rpsEnd == nil, pace.total == nil, pace.duration == nil else {
            throw ValidationError("--find-limit chooses the rates itself: give it --rps-start and --step-duration.")
        }
    }

    /// A threshold of a value that the mix does not measure would fail in every run.
    private func checkFirstPage() throws {
        guard !calls.mix.operations.contains(where: \.hasFirstPage) else { return }
        if let test = (reports.threshold + reports.findLimit).first(where: \.metric.isOfFirstPage) {
            throw ValidationError("'\(test)' needs stream or walk in the mix: only these have a first page.")
        }
    }

    private var files: ReportFiles { ReportFiles(html: reports.html, hgrm: reports.hgrm) }

    private func checkStandardOutput() throws {
        let count = files.standardOutputCount + (global.json ? 1 : 0)
        guard files.standardOutputCount > 0, count > 1 else { return }
        throw ValidationError(
            "Only one report can go to standard output: use - for --html or --hgrm, without --json."
        )
    }

    func run(in session: Session) async throws -> ExitStatus {
        let plan = try plan(in: session)
        try files.check()
        let characters = try await LoadProbe(plan: plan, client: session.client).run()
        let lists = LoadLists(client: session.client, timeout: plan.timeout)
        let made = try await lists.missing(for: plan)
        let test = LoadTest(plan: plan, session: session)
        let report = try await test.run(
            characters: characters,
            thresholds: reports.threshold,
            search: reports.findLimit.isEmpty ? nil : search
        )
        do {
            try await lists.remove(made)
        } catch {
            session.warn("Some lists of the test were not deleted (\(error)): delete them with `marvel delete-list`.")
        }
        let written = Result { try files.write(report, standardOutput: session.output) }
        do { try tell(report, in: session) } catch OutputError.readerGone {}
        try written.get()
        return status(of: report)
    }

    /// Prints to standard error if standard output is used for one of the files.
    private func tell(_ report: LoadReport, in session: Session) throws {
        guard !session.isJSON else { return try session.print([JSONValue(report).line]) }
        guard files.standardOutputCount > 0 else {
            return try session.print(
                LoadReportText(report: report, style: session.style, lineWidth: session.lineWidth).lines
            )
        }
        guard !session.options.quiet else { return }
        let text = LoadReportText(report: report, style: session.errorStyle, lineWidth: session.errors.columns)
        session.warn(text.lines.joined(separator: "\n"))
    }

    private var search: LoadTest.Search {
        LoadTest.Search(
            targets: reports.findLimit,
            firstRate: pace.rpsStart ?? 1_000,
            stepDuration: pace.stepDuration
        )
    }

    private func plan(in session: Session) throws -> LoadPlan {
        let (model, text, length) = try pace.pace()
        let isOpen = model != .closed || !reports.findLimit.isEmpty
        var plan = LoadPlan(calls.mix)
        plan.servers = session.servers.map(\.description)
        plan.model = model
        plan.modelText = text
        plan.connections = pace.connections
        plan.concurrency = pace.concurrency ?? (isOpen ? 64 : 1)
        plan.duration = pace.duration ?? (pace.total == nil ? length : nil)
        plan.total = pace.total
        plan.warmUp = pace.warmup
        plan.timeout = session.singleCallTimeout
        plan.queries = try calls.queries()
        plan.pageSize = calls.pageSize ?? 0
        plan.maximumPages = calls.pages ?? 0
        plan.lists = calls.lists
        return plan
    }

    private func status(of report: LoadReport) -> ExitStatus {
        switch report.ending {
        case .stopped: return .interrupted
        case .serverLost: return ExitStatus(RPCError(.unavailable, reason: .serverUnreachable, ""))
        case .completed: break
        }
        let hasHeld = report.verdicts.allSatisfy(\.holds) && report.limit.map { $0.limit != nil } ?? true
        return hasHeld ? .done : .thresholdFailed
    }
}

struct LoadTest {
    struct Search {
        var targets: [Threshold]
        /// In calls per second.
        var firstRate: Double
        var stepDuration: Duration
    }

    var plan: LoadPlan
    var session: Session

    private static let period = Duration.milliseconds(500)

    /// The result is also returned if the task was cancelled. Throws `LoadConnectError` if the test could not begin.
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
            cores: LoadRunner.cores,
            testerThreads: runner.threads,
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

    private func plan(of limit: LimitReport?, _ search: Search) -> LoadPlan {
        var plan = plan
        let rate = limit?.best?.rate ?? search.firstRate
        plan.model = .open(.constant(rate))
        plan.modelText = "\(Format.rate(rate)) calls a second, found by search"
        plan.duration = search.stepDuration
        plan.warmUp = min(plan.warmUp, search.stepDuration / 4)
        return plan
    }

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

    /// Random, so that the run's toggles do not count as retries of an earlier run's toggles.
    private var runName: String {
        String(UInt64.random(in: .min ... .max), radix: 36).suffix(10).description
    }
}

extension LoadSnapshot {
    /// The rate is measured since `earlier`, or since the start.
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

/// An error is reported once, and not as a million errors.
struct LoadProbe {
    var plan: LoadPlan
    var client: MarvelClient

    /// The client retries during it, in case the server has just restarted.
    private static let lastTimeout = Duration.seconds(2)
    private static let queries = 8
    /// A server that has just started may be slow.
    private var timeout: Duration { max(plan.timeout, MarvelClient.defaultTimeout) }

    /// Returns the ids of existing characters; empty if the mix has no toggles.
    func run() async throws -> [Int64] {
        let operations = plan.mix.operations
        let isToggling = operations.contains(.toggle)
        var characters: [Int64] = []
        if isToggling || operations.contains(where: \.isSearch) {
            for query in plan.queries.prefix(isToggling ? LoadProbe.queries : 1) {
                characters += try await firstPage(query, size: isToggling ? 100 : plan.pageSize)
            }
        }
        if operations.contains(.favorites), let list = ListName(LoadRequests.listName(0)) {
            _ = try await client.favorites(list: list, timeout: timeout)
        }
        guard isToggling else { return [] }
        guard !characters.isEmpty else {
            let texts = plan.queries.joined(separator: ", ")
            throw CommandError("No characters to toggle: \(texts) found none. Try another --query.")
        }
        return characters
    }

    /// An error counts as a response.
    static func doesAnyServerRespond(_ servers: [ServerEndpoint], _ tls: MarvelClient.TLS) async -> Bool {
        let client = MarvelClient(servers: servers, tls: tls)
        do throws(RPCError) {
            _ = try await client.health(timeout: LoadProbe.lastTimeout)
            await client.shutdown()
            return true
        } catch {
            await client.shutdown()
            let isSilence = [.unavailable, .deadlineExceeded, .cancelled].contains(error.code)
            return error.origin == .peer || !isSilence
        }
    }

    private func firstPage(_ query: String, size: Int) async throws -> [Int64] {
        for try await page in client.searchCharacters(query, pageSize: size, maxPages: 1, timeout: timeout) {
            return page.characters.map(\.id)
        }
        return []
    }
}

struct LoadLists: Sendable {
    let client: MarvelClient
    let timeout: Duration

    private static let batchSize = 64

    func missing(for plan: LoadPlan) async throws -> [ListName] {
        guard plan.mix.operations.contains(.toggle) else { return [] }
        let names = (0..<plan.lists).compactMap { ListName(LoadRequests.listName($0)) }
        return try await batches(names) { name in
            try await client.favorites(list: name, timeout: timeout).list.favorites.isEmpty ? name : nil
        }
    }

    /// Runs even if the calling task is cancelled. Throws the error of a list that could not be removed.
    func remove(_ names: [ListName]) async throws {
        let removal = Task {
            _ = try await batches(names) { name in
                _ = try await client.deleteList(name, timeout: timeout)
                return nil
            }
        }
        try await removal.value
    }

    private func batches(
        _ names: [ListName],
        _ body: @escaping @Sendable (ListName) async throws -> ListName?
    ) async throws -> [ListName] {
        var returned: [ListName] = []
        for start in stride(from: 0, to: names.count, by: Self.batchSize) {
            returned += try await withThrowingTaskGroup(of: ListName?.self) { group in
                for name in names[start...].prefix(Self.batchSize) { group.addTask { try await body(name) } }
                return try await group.reduce(into: []) { if let name = $1 { $0.append(name) } }
            }
        }
        return returned
    }
}
