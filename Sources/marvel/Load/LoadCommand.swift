internal import ArgumentParser
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
            Without a rate, each call starts when the one before it ends (closed model). With --rps or --schedule, \
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
        guard !reports.findLimit.isEmpty else { return }
        guard pace.rps == nil, pace.schedule == nil, pace.total == nil, pace.duration == nil else {
            throw ValidationError("--find-limit chooses the rates itself: give it --rps-start and --step-duration.")
        }
    }

    /// - Throws: An error for a threshold of a value that the mix does not measure: it would fail in every run.
    private func checkFirstPage() throws {
        guard !calls.mix.operations.contains(where: \.hasFirstPage) else { return }
        if let test = (reports.threshold + reports.findLimit).first(where: \.metric.isOfFirstPage) {
            throw ValidationError("'\(test)' needs stream or walk in the mix: only these have a first page.")
        }
    }

    private var files: ReportFiles { ReportFiles(html: reports.html, csv: reports.csv, hgrm: reports.hgrm) }

    private func checkStandardOutput() throws {
        let count = files.standardOutputCount + (global.json ? 1 : 0)
        guard files.standardOutputCount > 0, count > 1 else { return }
        throw ValidationError(
            "Only one report can go to standard output: use - for one of --html, --csv and --hgrm, without --json."
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
        try tell(report, in: session)
        try files.write(report, standardOutput: session.output)
        return status(of: report)
    }

    /// Prints the report, to standard error if standard output is used for one of the files.
    private func tell(_ report: LoadReport, in session: Session) throws {
        guard !session.isJSON else { return try session.print([JSONValue(report).line]) }
        guard files.standardOutputCount > 0 else {
            return try session.print(LoadReportText(report, session.style, lineWidth: session.lineWidth).lines)
        }
        guard !session.options.quiet else { return }
        let text = LoadReportText(report, session.errorStyle, lineWidth: session.errors.columns)
        session.warn(text.lines.joined(separator: "\n"))
    }

    private var search: LoadTest.Search {
        LoadTest.Search(
            targets: reports.findLimit,
            firstRate: pace.rpsStart ?? 1_000,
            stepDuration: pace.stepDuration.duration
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
        plan.duration = pace.duration?.duration ?? (pace.total == nil ? length : nil)
        plan.total = pace.total
        plan.warmUp = pace.warmup.duration
        plan.timeout = session.singleCallTimeout
        plan.queries = try calls.queries()
        plan.pageSize = calls.pageSize ?? 0
        plan.maximumPages = calls.pages ?? 0
        plan.lists = calls.lists
        return plan
    }

    private func status(of report: LoadReport) -> ExitStatus {
        switch report.result.ending {
        case .stopped: return .interrupted
        case .serverLost: return ExitStatus(RPCError(.unavailable, reason: .serverUnreachable, ""))
        case .completed: break
        }
        let hasHeld = report.verdicts.allSatisfy(\.holds) && report.limit.map { $0.limit != nil } ?? true
        return hasHeld ? .done : .thresholdFailed
    }
}
