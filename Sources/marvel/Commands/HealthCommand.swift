internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import Terminal
internal import TerminalUI
internal import WireMessages

struct HealthCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Check whether the server accepts calls.",
        usage: "marvel health [<service>] [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel health",
                "marvel health --verbose --server tls://marvel.example:6160",
            ],
            """
            With --verbose it also describes the server and its catalog; with --json that is a second line.
            """,
            statuses: [
                ("0", "the server is serving"),
                ("1", "the server is not serving, or does not answer"),
            ]
        )
    )

    @Argument(
        help: "The full name of a service. (default: the whole server)",
        completion: .list([MarvelServiceMethods.serviceName])
    )
    var service = ""

    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) async throws -> ExitStatus {
        let status = try await session.client.health(service: service, timeout: session.singleCallTimeout)
        let line = line(on: status, session.style)
        do {
            try session.print(page: [line], rows: [line], nil, HealthCheckResponse.self)
            if session.options.verbose { try await describe(in: session) }
        } catch OutputError.readerGone {}
        return status == .serving ? .done : .failed
    }

    /// A failure is only reported: the server's health is known.
    private func describe(in session: Session) async throws {
        let info: CatalogInfo
        do {
            info = try await session.client.catalogInfo(timeout: session.singleCallTimeout)
        } catch {
            return session.report(error, changesSeenWith: nil)
        }
        let facts = Facts(
            [
                ("version", info.serverVersion.printable), ("catalog", Self.catalog(info)),
                ("matches", info.matches.map(\.word).joined(separator: ", ")),
                ("loaded", info.loadedAt?.readable ?? ""), ("history", info.history.printable),
            ].filter { !$0.1.isEmpty },
            style: session.style
        )
        let footer = Footer(attribution: info.attribution)
        try session.print(page: [""] + facts.lines, rows: facts.rows, footer, GetCatalogInfoResponse.self)
    }

    private func line(on status: HealthStatus, _ style: ANSIStyle) -> String {
        let subject = service.isEmpty ? "The server" : service.printable
        return switch status {
        case .serving: "\(subject) is serving."
        case .notServing: style.apply(.failure, to: "\(subject) is not serving.")
        case .serviceUnknown: "The server has no service \(subject)."
        case .unknown: "\(subject) has no health status yet."
        case .other(let number): "\(subject) has the unknown status \(number)."
        }
    }

    private static func catalog(_ info: CatalogInfo) -> String {
        let kind =
            switch info.kind {
            case .builtIn: "built-in"
            case .synthetic: "synthetic"
            case .gateway: "gateway"
            case .file: "file"
            case .other(let number): "unknown kind \(number)"
            }
        guard let count = info.characterCount else { return kind }
        return "\(kind), \(count) \(count == 1 ? "character" : "characters")"
    }

    func status(for error: RPCError) -> ExitStatus { .failed }
}
