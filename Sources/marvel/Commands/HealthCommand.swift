internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import Terminal
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
        let report = HealthReport(service: service, status: status, style: session.style)
        try session.print(page: report.lines, rows: report.lines, nil, HealthCheckResponse.self)
        if session.options.verbose { try await describe(in: session) }
        return status == .serving ? .done : .failed
    }

    /// Prints the description of the server. A failure is only reported: the server's health is known.
    private func describe(in session: Session) async throws {
        let info: CatalogInfo
        do {
            info = try await session.client.catalogInfo(timeout: session.singleCallTimeout)
        } catch {
            return session.report(error, mayHaveChanged: false, changesSeenWith: Self.changesSeenWith)
        }
        let report = CatalogReport(info: info, style: session.style)
        try session.print(page: [""] + report.lines, rows: report.rows, report.footer, GetCatalogInfoResponse.self)
    }

    func status(for error: RPCError) -> ExitStatus { .failed }
}
