internal import ArgumentParser
internal import Foundation
internal import GatewayHTTP
internal import Logging
internal import MarvelDomain
internal import ProgramSupport
internal import RPCCore
internal import RPCServer
internal import Upstream

/// A stand-in for the retired Marvel API: same paths, parameters, signing, JSON and error bodies.
@main
struct MarvelGateway: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marvel-gateway",
        abstract: "A stand-in for the retired Marvel HTTP API.",
        discussion: """
            POINT AN OLD APP HERE:
              1. marvel-gateway --any-key
              2. In the app, change https://gateway.marvel.com:443 to http://127.0.0.1:6163
              3. For comics, import your saved answers: see --catalog

            EXAMPLES:
              marvel-gateway --any-key --catalog my.catalog
              marvel-gateway --address 127.0.0.1:8080 --catalog synthetic:1000000
              marvel-gateway --any-key --latency 50ms --error-rate 2%

            Without --any-key, each request must be signed with a pair of keys, as for the retired \
            API. The gateway accepts the pairs in its environment.

            ENVIRONMENT:
              MARVEL_PUBLIC_KEY          the public key of a pair
              MARVEL_PRIVATE_KEY         its private key
              MARVEL_PRIVATE_KEY_FILE    a file of mode 0600 with the private key
              MARVEL_KEYS_FILE           a file of mode 0600 with a pair on each line:
                                         PUBLIC PRIVATE. A third word, unentitled or
                                         forbidden, refuses the pair with 401 or 403.

            EXIT STATUS:
              0     stopped by SIGTERM or SIGINT
              1     a temporary failure, such as an address in use
              64    the command line is wrong
              78    the keys are wrong or missing: a restart does not help
            """,
        version: StartUp.version
    )

    static func main() async { await StartUp.main(MarvelGateway.self, serves: { _ in true }) }

    @Option(help: ArgumentHelp("The address to listen on; port 0 picks a free port.", valueName: "host:port"))
    var address = ServerAddress.tcp(host: "127.0.0.1", port: 6163)

    @Option(
        help: ArgumentHelp(
            "The catalog to serve: builtin, synthetic:N with N invented characters, or a catalog file of marvel-server import.",
            valueName: "catalog"
        )
    )
    var catalog = CatalogSource.builtIn

    @Option(help: ArgumentHelp("The minimum level of log events.", valueName: "level"))
    var logLevel = LogLevel.info

    @OptionGroup(title: "Access control") var access: AccessOptions
    @OptionGroup(title: "Answers") var answers: AnswerOptions
    @OptionGroup(title: "Fault injection") var faults: FaultOptions

    func validate() throws {
        if let contradiction = faults.injection.contradiction { throw ValidationError(contradiction) }
    }

    func run() async throws {
        ProcessMemory.forbidDumps()
        let stops = SignalHandler.ofStart()
        try await StartUp.run("marvel-gateway", logLevel: logLevel) { logger in try await serve(logger, stops) }
    }

    private func serve(_ logger: Logger, _ stops: SignalHandler) async throws {
        let keys = try access.keyRing(environment: ProcessInfo.processInfo.environment)
        let (catalog, documents) = try self.catalog.load()
        let facts: Logger.Metadata = [
            "version": "\(StartUp.version)",
            "pid": .stringConvertible(ProcessInfo.processInfo.processIdentifier), "catalog": "\(self.catalog)",
            "characters": .stringConvertible(catalog.count),
            "documents": .stringConvertible(documents?.documentCount ?? 0),
            "keys": .stringConvertible(keys.accountCount),
            "any_key": .stringConvertible(keys.acceptsAnyKey),
        ]
        let server = try await GatewayServer.start(
            Gateway(catalog: catalog, documents: documents, keys: keys, settings: settings, clock: .system),
            at: address,
            logger: logger,
            onFailure: ProblemLog("documents cannot be read", logger).report
        )
        let ending = SignalHandler([SIGTERM, SIGINT]) { _ in server.stop() }
        stops.cancel()
        for endpoint in server.endpoints {
            logger.notice("listening", metadata: endpoint.metadata.merging(facts) { $1 })
        }
        // Until the active responses are sent.
        await server.run()
        ending.cancel()
    }

    private var settings: GatewaySettings {
        var settings = answers.settings
        settings.quota = faults.rateLimit
        settings.faultInjection = faults.injection
        return settings
    }
}

extension GatewayClock {
    fileprivate static let system: GatewayClock = {
        let start = ContinuousClock.now
        return GatewayClock(
            now: { Timestamp(seconds: Int64(Date().timeIntervalSince1970.rounded(.down))) },
            uptime: { ContinuousClock.now - start }
        )
    }()
}
