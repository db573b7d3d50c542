internal import MarvelClient
internal import MarvelDomain
internal import NIOCore
internal import ProgramSupport
internal import Terminal
internal import TerminalUI
internal import WireMessages

struct Session: Sendable {
    let program: Program
    let client: MarvelClient
    let servers: [ServerEndpoint]
    let token: String?
    let tls: MarvelClient.TLS
    let options: GlobalOptions

    var environment: Environment { program.environment }
    var output: any TextOutput { program.output }
    var errors: any TextOutput { program.errors }
    var style: ANSIStyle { style(of: output) }
    var errorStyle: ANSIStyle { style(of: errors) }

    private func style(of output: any TextOutput) -> ANSIStyle {
        ANSIStyle(options.color, environment: environment, isTerminal: output.isTerminal)
    }

    var lineWidth: Int? { output.columns }

    var isJSON: Bool { options.json }

    var singleCallTimeout: Duration { options.timeout ?? MarvelClient.defaultTimeout }

    /// Shown only on a terminal, without `--quiet` and `--json`.
    func statusLine() -> StatusLine {
        StatusLine(on: givesHints && environment["TERM"] != "dumb" ? errors : nil)
    }

    func print(_ lines: [String]) throws(OutputError) {
        guard !lines.isEmpty else { return }
        try output.write(lines.joined(separator: "\n") + "\n")
    }

    /// Rows with tabs between the values, and nothing else on standard output.
    var printsRows: Bool { options.quiet || !output.isTerminal }

    /// `page` with the footer is for a person. `rows` are for scripts, with the footer on standard error.
    func print(
        page: @autoclosure () -> [String],
        rows: @autoclosure () -> [String],
        _ footer: Footer?,
        _ response: (some WireMessage).Type
    ) throws {
        if isJSON { return try printJSON(response) }
        guard printsRows else {
            let footer = footer?.lines(style) ?? []
            return try print(page() + (footer.isEmpty ? [] : [""] + footer))
        }
        try print(rows())
        guard !options.quiet, let footer else { return }
        for line in footer.lines(errorStyle) { warn(line) }
    }

    func print(outcome lines: [String], _ footer: Footer?, _ response: (some WireMessage).Type) throws {
        try print(page: lines, rows: options.quiet ? [] : lines, footer, response)
    }

    /// The JSON is the same as Connect's.
    func printJSON(_ response: (some WireMessage).Type) throws {
        if let message = MarvelClient.lastResponse?.message(response) { try print(json: message) }
    }

    func print(json message: some WireMessage) throws {
        try print([String(buffer: try message.json()).escapingFormatCharacters])
    }

    var givesHints: Bool { errors.isTerminal && !options.quiet && !options.json }

    func hint(_ text: String) {
        guard givesHints else { return }
        warn(errorStyle.apply(.faint, to: text))
    }

    var canAsk: Bool { program.input.isTerminal }

    /// `question` does not include the possible answers. No answer, or a cancelled task, means no.
    func ask(_ question: String) async -> Bool {
        try? errors.write("\(question) [y/N] ")
        let answer = await program.input.nextLine()?.lowercased()
        return answer == "y" || answer == "yes"
    }

    /// A failure is ignored, because it could not be reported.
    func warn(_ text: String) {
        try? errors.write(text + "\n")
    }

    func report(_ error: RPCError, changesSeenWith: String? = nil, hasAnswered: Bool = false) {
        guard !isJSON else {
            var json = JSONWriter()
            error.write(to: &json)
            return warn(json.text.escapingFormatCharacters)
        }
        let text = ErrorText(
            error: error,
            servers: servers,
            changesSeenWith: changesSeenWith,
            isVerbose: options.verbose,
            hasAnswered: hasAnswered
        ).text
        let isUserCancellation = error.code == .cancelled && error.origin == .local
        if isUserCancellation { warn(text) } else { warn(error: text) }
    }

    func warn(error text: String) { warn(errorStyle.apply(.failure, to: "Error:") + " " + text) }
}

struct Footer {
    var attribution: String
    var freshness = DataFreshness()

    func lines(_ style: ANSIStyle) -> [String] {
        var lines: [String] = []
        if freshness.isStale {
            lines.append("The source does not answer: this data is \(freshness.age.inWords) old.")
        }
        let attribution = self.attribution.printable
        if !attribution.isEmpty { lines.append(style.apply(.faint, to: attribution)) }
        return lines
    }
}

enum Sign {
    static let favorite = "★"
}

extension Timestamp {
    var readable: String {
        let time = CivilTime(seconds: seconds)
        return "\(time.date) \(time.timeOfDay) UTC"
    }
}

extension Duration {
    /// An approximate text for people: `250 ms`, `2 s`, `3 min`, `5 h`, `2 days`.
    var inWords: String {
        let milliseconds = self / .milliseconds(1)
        let steps: [(limit: Double, unit: Double, name: String)] = [
            (1_000, 1, "ms"), (120_000, 1_000, "s"), (7_200_000, 60_000, "min"), (172_800_000, 3_600_000, "h"),
        ]
        let step = steps.first { milliseconds < $0.limit } ?? (.infinity, 86_400_000, "days")
        return "\(Int((milliseconds / step.unit).rounded())) \(step.name)"
    }
}
