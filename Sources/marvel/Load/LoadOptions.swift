internal import ArgumentParser
internal import Load
internal import MarvelDomain
internal import ProgramSupport
internal import Terminal

struct CallOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The calls: pages (one page per call), stream (a stream of pages), walk (all pages of a result in turn), \
            toggle, favorites; or a weighted mix: pages=80,toggle=15,favorites=5.
            """,
            valueName: "mix"
        ),
        transform: CallOptions.mix
    )
    var mix = Mix(only: .pages)

    @Option(help: ArgumentHelp("The query. Repeat it to use several in turn. (default: sp)", valueName: "text"))
    var query: [String] = []

    @Option(
        help: ArgumentHelp("A file with a query on each line, used in turn; - is standard input.", valueName: "file"),
        completion: .file()
    )
    var queryFile: String?

    @Option(help: ArgumentHelp("Characters per page, 1 to 100. (default: 10)", valueName: "n"))
    var pageSize: Int?

    @Option(help: ArgumentHelp("The maximum number of pages of a stream or a walk. (default: all)", valueName: "n"))
    var pages: Int?

    @Option(
        help: ArgumentHelp(
            """
            The number of lists for toggle and favorites: load-1, load-2… The test deletes the lists that it created.
            """,
            valueName: "n"
        )
    )
    var lists = 100

    func validate() throws {
        if let pageSize { try OptionRange.check(pageSize, 1...100, "--page-size") }
        try OptionRange.atLeastOne(pages, "--pages")
        try OptionRange.check(lists, 1...10_000, "--lists")
    }

    private static let maximumFileBytes = 16 << 20

    func queries() throws -> [String] {
        guard let queryFile else { return query.isEmpty ? ["sp"] : query }
        let text = try InputFile.text(queryFile, maximum: Self.maximumFileBytes)
        let lines = text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
        guard !lines.isEmpty else { throw CommandError("\(queryFile) contains no query") }
        return query + lines
    }

    private static func mix(_ text: String) throws -> Mix {
        guard let mix = Mix(text) else {
            let names = LoadOperation.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "A mix consists of \(names), each at most once, with weights from 1 to \(Mix.maximumWeight): pages=80,toggle=20."
            )
        }
        return mix
    }
}

struct PaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Connections to open.", valueName: "n"))
    var connections = 10

    @Option(
        help: ArgumentHelp(
            "The maximum number of calls in flight on each connection. (default: 1; 64 with a rate)",
            valueName: "n"
        )
    )
    var concurrency: Int?

    @Option(
        help: ArgumentHelp("How long to measure. (default: 10s)", valueName: "time"),
        transform: Duration.option
    )
    var duration: Duration?

    @Option(help: ArgumentHelp("Stop after this many calls.", valueName: "n"))
    var total: Int?

    @Option(
        help: ArgumentHelp(
            "How long to warm up before measuring; 0 for no warm-up. (default: 1s)",
            valueName: "time"
        ),
        transform: PaceOptions.warmup
    )
    var warmup = Duration.seconds(1)

    @Option(help: ArgumentHelp("Start this many calls a second (open model).", valueName: "n"))
    var rps: Double?

    @Option(
        help: ArgumentHelp("The first rate for --rps-end or --find-limit, there 1000 by default.", valueName: "n")
    )
    var rpsStart: Double?

    @Option(help: ArgumentHelp("Change the rate evenly from --rps-start to this one (open model).", valueName: "n"))
    var rpsEnd: Double?

    @Option(
        help: ArgumentHelp("How long a step of --find-limit lasts. (default: 5s)", valueName: "time"),
        transform: Duration.option
    )
    var stepDuration = Duration.seconds(5)

    /// The time may be zero: `0` or `0s`.
    private static func warmup(_ text: String) throws -> Duration {
        try text == "0" || Duration(text: text) == .zero ? .zero : Duration.option(text)
    }

    func validate() throws {
        try OptionRange.check(connections, 1...100_000, "--connections")
        if let concurrency { try OptionRange.check(concurrency, 1...10_000, "--concurrency") }
        try OptionRange.atLeastOne(total, "--total")
        for (rate, name) in [(rps, "--rps"), (rpsStart, "--rps-start"), (rpsEnd, "--rps-end")] {
            if let rate { try OptionRange.rate(rate, name) }
        }
        _ = try pace()
    }

    func pace() throws -> (model: LoadPlan.Model, text: String, length: Duration) {
        let length = Duration.seconds(10)
        if let rpsEnd {
            guard let rpsStart, rps == nil else {
                throw ValidationError("--rps-end needs --rps-start, and no --rps.")
            }
            let text = "\(Format.rate(rpsStart)) to \(Format.rate(rpsEnd)) calls a second in a line"
            return (.open(.line(from: rpsStart, to: rpsEnd, over: duration ?? length)), text, length)
        }
        guard let rps else { return (.closed, "as fast as the server answers", length) }
        return (.open(.constant(rps)), "\(Format.rate(rps)) calls a second", length)
    }
}

struct ReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A limit: if the run breaks it, the exit status is 99. May be repeated. p50 to p99.99, max, mean, the same \
            for first pages (first-page-p99), errors, rps, with < or >: 'p99<5ms', 'errors<0.1%', 'rps>1000'.
            """,
            valueName: "test"
        ),
        transform: ReportOptions.threshold
    )
    var threshold: [Threshold] = []

    @Option(
        help: ArgumentHelp(
            "Find the highest rate that meets this limit: 'p99<5ms'. May be repeated.",
            valueName: "test"
        ),
        transform: ReportOptions.threshold
    )
    var findLimit: [Threshold] = []

    @Option(
        help: ArgumentHelp("Write the report as an HTML page; - is standard output.", valueName: "file"),
        completion: .file(extensions: ["html"])
    )
    var html: String?

    @Option(
        help: ArgumentHelp(
            "Write the latency distribution in HdrHistogram's format; - is standard output.",
            valueName: "file"
        ),
        completion: .file(extensions: ["hgrm"])
    )
    var hgrm: String?

    func validate() throws {
        for (path, name) in [(html, "--html"), (hgrm, "--hgrm")] where path == "" {
            throw ValidationError("\(name) must be a file name, or -.")
        }
    }

    private static func threshold(_ text: String) throws -> Threshold {
        guard let threshold = Threshold(text) else {
            throw ValidationError(
                "'\(text)' is not a valid test: write 'p99<5ms', 'first-page-p99<5ms', 'errors<0.1%', 'rps>1000'."
            )
        }
        return threshold
    }
}

struct ReportFiles {
    var html: String?
    var hgrm: String?

    private var paths: [String] { [html, hgrm].compactMap(\.self) }

    var standardOutputCount: Int { paths.count { $0 == "-" } }

    /// Run it before the test, so that no result is lost afterwards.
    func check() throws { for path in paths where path != "-" { try ResultFile.check(path) } }

    /// Writes each file, also after one that fails. Throws the first failure, unless standard output's reader is gone.
    func write(_ report: LoadReport, standardOutput: any TextOutput) throws {
        var failure: (any Error)?
        for (path, text) in [(html, \LoadReport.html), (hgrm, \.hgrm)] {
            guard let path else { continue }
            let bytes = Array(report[keyPath: text].utf8)
            do {
                if path == "-" { try standardOutput.write(bytes) } else { try ResultFile.write(bytes, to: path) }
            } catch OutputError.readerGone {
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
