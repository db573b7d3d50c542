internal import ArgumentParser
internal import MarvelClient

/// A subcommand that calls a server.
protocol ClientCommand: ParsableCommand {
    /// Whether a call that failed may have changed something all the same.
    static var changesData: Bool { get }

    /// Where to look whether a call that failed has changed something.
    static var changesSeenWith: String { get }

    var global: GlobalOptions { get }

    /// Whether calls that fail are sent again where that is safe.
    var retries: Bool { get }

    /// Whether pages come before they are asked for.
    var readsAhead: Bool { get }

    /// After how much silence a server is asked whether it is still there.
    var keepaliveInterval: Duration { get }

    /// Makes the calls and prints what came of them.
    ///
    /// - Throws: `RPCError` if a call failed, `OutputError` if the output takes no more.
    func run(in session: Session) async throws -> ExitStatus

    /// The status to end with after a failed call.
    func status(for error: RPCError) -> ExitStatus
}

extension ClientCommand {
    static var changesData: Bool { false }

    static var changesSeenWith: String { "marvel favorites" }

    var retries: Bool { !global.noRetry }

    var readsAhead: Bool { true }

    var keepaliveInterval: Duration { MarvelClient.defaultKeepaliveInterval }

    func status(for error: RPCError) -> ExitStatus { ExitStatus(error) }
}
