internal import ArgumentParser
internal import MarvelClient

protocol ClientCommand: ParsableCommand {
    /// The command that shows whether a failed call has changed something; nil if its calls only read.
    static var changesSeenWith: String? { get }

    var global: GlobalOptions { get }

    var retries: Bool { get }

    var readsAhead: Bool { get }

    /// The time without data after which a keepalive is sent to the server.
    var keepaliveInterval: Duration { get }

    /// Makes the calls and prints the results.
    ///
    /// - Throws: `RPCError` if a call failed, `OutputError` if the output failed.
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

/// An error that is not a server's, in words for the user.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
