internal import MarvelClient
internal import ProgramSupport

/// What a command has to work with: a client, and where and how to print.
struct Session: Sendable {
    let client: MarvelClient
    let servers: [ServerAddress]
    let options: Options
    let environment: Environment
    let output: any TextOutput
    let errors: any TextOutput
    let style: ANSIStyle
    let errorStyle: ANSIStyle
    /// Nil where a line cannot be written over.
    private let progressOutput: (any TextOutput)?

    /// What the global options say, without the parser's wrappers.
    struct Options: Sendable {
        var timeout: TimeLimit?
        var isJSON: Bool
        var isQuiet: Bool
        var isVerbose: Bool
    }

    init(
        client: MarvelClient,
        servers: [ServerAddress],
        options: GlobalOptions,
        environment: Environment,
        output: any TextOutput,
        errors: any TextOutput
    ) {
        let isWatched = errors.isTerminal && environment["TERM"] != "dumb" && !options.quiet && !options.json
        self.client = client
        self.servers = servers
        self.options = Options(
            timeout: options.timeout,
            isJSON: options.json,
            isQuiet: options.quiet,
            isVerbose: options.verbose
        )
        self.environment = environment
        self.output = output
        self.errors = errors
        self.style = ANSIStyle(options.color, environment: environment, isTerminal: output.isTerminal)
        self.errorStyle = ANSIStyle(options.color, environment: environment, isTerminal: errors.isTerminal)
        self.progressOutput = isWatched ? errors : nil
    }

    var isJSON: Bool { options.isJSON }

    /// What a call that answers once may take.
    var singleCallTimeout: Duration { options.timeout?.duration ?? MarvelClient.defaultTimeout }

    func progress() -> Progress { Progress(on: statusLine()) }

    /// A line that follows what goes on; on a terminal, unless it is not wanted.
    func statusLine() -> StatusLine { StatusLine(on: progressOutput) }

    /// Prints results.
    func print(_ lines: [String]) throws(OutputError) {
        guard !lines.isEmpty else { return }
        try output.write(lines.joined(separator: "\n") + "\n")
    }

    /// Says what could be done next, to a person who looks.
    func hint(_ text: String) {
        guard errors.isTerminal, !options.isQuiet, !options.isJSON else { return }
        warn(errorStyle.apply(.faint, to: text))
    }

    /// Says something on standard error. That this fails too, nobody could be told.
    func warn(_ text: String) {
        try? errors.write(text + "\n")
    }

    /// Says why a call failed.
    func report(_ error: RPCError, mayHaveChanged: Bool, changesSeenWith: String) {
        guard !isJSON else { return warn(JSONValue(error).line) }
        let text = ErrorText(
            error: error,
            servers: servers,
            mayHaveChanged: mayHaveChanged,
            changesSeenWith: changesSeenWith,
            isVerbose: options.isVerbose,
            namesFlags: true
        ).text
        let isOwnWish = error.code == .cancelled && error.origin == .local
        warn(isOwnWish ? text : errorStyle.apply(.failure, to: "Error:") + " " + text)
    }
}
