internal import ArgumentParser
internal import MarvelClient
internal import ProgramSupport

protocol ClientCommand: ParsableCommand {
    /// Nil if the calls only read.
    static var changesSeenWith: String? { get }

    var global: GlobalOptions { get }

    var retries: Bool { get }

    var readsAhead: Bool { get }

    var keepaliveInterval: Duration { get }

    /// Throws `RPCError` if a call failed, `OutputError` if the output failed.
    func run(in session: Session) async throws -> ExitStatus

    func status(for error: RPCError) -> ExitStatus
}

extension ClientCommand {
    static var changesSeenWith: String? { nil }

    var retries: Bool { !global.noRetry }

    var readsAhead: Bool { true }

    var keepaliveInterval: Duration { MarvelClient.defaultKeepaliveInterval }

    func status(for error: RPCError) -> ExitStatus { ExitStatus(error) }
}

struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

enum HelpText {
    /// `statuses` are the exit statuses with a special meaning, `variables` those that only this command reads.
    static func discussion(
        examples: [String],
        _ text: String = "",
        variables: [(String, String)] = [],
        statuses: [(String, String)] = []
    ) -> String {
        joined([
            section("EXAMPLES", examples), text, section("ENVIRONMENT", aligned(variables)),
            section("EXIT STATUS", aligned(statuses)), shared,
        ])
    }

    private static let shared = "`marvel --help` lists the global options, the environment and the exit statuses."

    static func overview(examples: [String], _ text: String) -> String {
        joined([
            section("EXAMPLES", examples), text, section("ENVIRONMENT", aligned(sharedVariables)),
            section("EXIT STATUS", aligned(sharedStatuses)),
        ])
    }

    private static let sharedVariables = [
        ("MARVEL_SERVER", "the servers, like --server"),
        ("MARVEL_TOKEN", "the token for the server"),
        ("MARVEL_TOKEN_FILE", "a file of mode 0600 with the token"),
        ("MARVEL_TOKEN_IN_CLEAR", "1 sends the token without TLS too"),
        ("TRACEPARENT", "the distributed trace that calls belong to"),
        ("NO_COLOR, FORCE_COLOR", "like --color never, --color always"),
    ]

    private static let sharedStatuses = [
        ("0", "success"),
        ("1", "any other error"),
        ("64", "usage error"),
        ("64 + n", "the call failed with status code n:"),
        ("", "68 DEADLINE_EXCEEDED, 69 NOT_FOUND, 78 UNAVAILABLE"),
        ("130", "Ctrl-C"),
    ]

    private static func section(_ title: String, _ lines: [String]) -> String {
        lines.isEmpty ? "" : ([title + ":"] + lines.map { "  " + $0 }).joined(separator: "\n")
    }

    private static func joined(_ sections: [String]) -> String {
        sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func aligned(_ rows: [(String, String)]) -> [String] { Facts(rows.map { ($0.0, $0.1) }).lines }
}
