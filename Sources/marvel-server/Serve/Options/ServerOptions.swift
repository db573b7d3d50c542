import ArgumentParser
import CatalogEdits
import FavoritesPostgres
import FavoritesSQLite
import Foundation
import HTTPCalls
import HTTPTransport
import Logging
import MarvelDomain
import MarvelService
import ProgramSupport
import RPCCore
import RPCTransport
import Upstream

/// The options for the catalog, the addresses and the files of a server.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to listen for marvel: host:port, port 0 for any free one, unix:/path, or off. May be repeated. "
                + "(default: \(ServerAddress.default))",
            valueName: "address"
        )
    )
    var framed: [PortAddress] = []

    @Option(
        help: ArgumentHelp(
            "Where to listen for gRPC, Connect and JSON over HTTP: an address like that of --framed, or off. May be "
                + "repeated. (default: \(ServerAddress.defaultHTTP))",
            valueName: "address"
        )
    )
    var http: [PortAddress] = []

    @Option(
        help: ArgumentHelp(
            "A web site whose pages may call over HTTP: https://example.org. May be repeated. (default: none)",
            valueName: "origin"
        )
    )
    var corsOrigin: [String] = []

    @Flag(help: "Compress answers over HTTP for clients that accept gzip.")
    var compressAnswers = false

    @Flag(
        inversion: .prefixedNo,
        help: "Whether callers, like grpcurl, may list the services. (default: on, if only this machine can call)"
    )
    var reflection: Bool?

    @Option(
        help: ArgumentHelp(
            "The file that keeps favorites, or the postgresql:// address of a database that several servers share. "
                + "(default: favorites.sqlite in $STATE_DIRECTORY, or in ~/.local/state/marvel-rpc)",
            valueName: "store"
        )
    )
    var store: String?

    @Option(
        help: """
            What an acknowledged toggle survives: full (also a loss of power), process (a crash of the server), none \
            (for measuring what the disk costs).
            """
    )
    var durability = StoreDurability.full

    @Option(help: "Favorites that a list holds, 1 to 100. A list that holds more is trimmed at start. (default: 5)")
    var capacity: Int?

    @Option(help: "Lists that the store holds.")
    var maxLists = 100_000

    @OptionGroup var retention: RetentionOptions

    @Option(
        help: ArgumentHelp(
            "Where characters come from: builtin, synthetic:N with N up to 1000000, the URL of a gateway, or a catalog "
                + "file. (default: \(CatalogSource.builtIn))",
            valueName: "catalog"
        ),
        transform: ServerOptions.catalogSource
    )
    var catalog = CatalogSource.builtIn

    @Option(
        help: ArgumentHelp(
            "A host that a gateway's pictures are fetched from too: name, or name:port. May be repeated. (default: "
                + "the gateway's own host and \(PictureHosts.marvelHost))",
            valueName: "host"
        ),
        transform: ServerOptions.pictureHost
    )
    var imageHost: [PictureHost] = []

    @Option(
        help: ArgumentHelp(
            "The file that keeps edits of characters. (default: edits.sqlite beside the store)",
            valueName: "file"
        )
    )
    var edits: String?

    @Flag(help: "Let whoever can connect add and edit characters.")
    var allowEdits = false

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(help: ArgumentHelp("Log events of this level and above.", valueName: "level"))
    var logLevel = LogLevel.info

    func validate() throws {
        try framedPort.validate()
        try httpPort.validate()
        guard framed != [.off] || http != [.off] else {
            throw ValidationError("--framed and --http are off: the server would take no calls.")
        }
        if let capacity, !(1...100).contains(capacity) {
            throw ValidationError("--capacity is \(capacity), it must be 1 to 100.")
        }
        for origin in corsOrigin where !HTTPRules.isOrigin(origin) {
            throw ValidationError(
                "--cors-origin is \(origin), it must be a scheme and a host as in https://example.org, without a path."
            )
        }
        guard maxLists > 0 else { throw ValidationError("--max-lists is \(maxLists), it must be 1 or more.") }
    }

    /// The endpoints for calls.
    var endpoints: [ListeningEndpoint] {
        let isUpstream = if case .gateway = catalog { true } else { false }
        let rules = HTTPRules(
            corsOrigins: Set(corsOrigin),
            compressesAnswers: compressAnswers,
            hasUpstreamPictures: isUpstream
        )
        return framedPort.endpoints(.framed) + httpPort.endpoints(.http(rules))
    }

    private var framedPort: ServerPort { ServerPort(name: .framed, given: framed, defaultAddress: .default) }
    private var httpPort: ServerPort { ServerPort(name: .http, given: http, defaultAddress: .defaultHTTP) }

    /// Checks that ports that are off have no sockets of the service manager.
    func checkSockets() throws(StartupError) {
        try framedPort.checkSockets()
        try httpPort.checkSockets()
    }

    var offersReflection: Bool { reflection ?? endpoints.allSatisfy(\.address.isLocal) }

    /// Returns the path of the store's file; that of the default one if the store is a database. Other files of the server
    /// are beside it.
    func storePath() throws(StartupError) -> String {
        if let store, !isStoreDatabase { return store }
        return try StateFolder.defaultStore()
    }

    /// Whether favorites are in a database that other servers share.
    var isStoreDatabase: Bool { store.map(DatabaseAddress.isAddress) ?? false }

    /// Opens the operator's edits, and applies them to the catalog.
    ///
    /// - Parameters:
    ///   - catalog: The catalog that is served; nil if it cannot be edited.
    ///   - favorites: The store of the lists that hold edited characters.
    ///   - logger: The logger for problems.
    /// - Returns: The edits, to be closed at the end; nil if the catalog cannot be edited.
    /// - Throws: `StartupError` if the edits cannot be opened, or if an option needs edits and the catalog cannot be
    ///   edited.
    func openEdits(
        over catalog: EditableCatalog?,
        favorites: any ServedStore,
        logger: Logger
    ) async throws(StartupError) -> OpenedEdits? {
        guard let catalog else {
            guard edits == nil, !allowEdits else {
                throw StartupError(
                    .configuration,
                    "characters that are asked of a gateway cannot be edited: leave out --edits and --allow-edits"
                )
            }
            return nil
        }
        let place: OpenedEdits.Place
        if let shared = favorites.sharedEdits {
            guard edits == nil else {
                throw StartupError(
                    .configuration,
                    "servers that share a database have their edits in it: leave out --edits"
                )
            }
            place = .database(shared)
        } else if let edits {
            place = .file(edits)
        } else {
            place = .file(StateFolder.edits(besideStore: try storePath()))
        }
        return try await OpenedEdits(place, over: catalog, logger: logger)
    }

    /// Opens the store, by default in the folder of this user's state, and logs its contents.
    ///
    /// - Parameters:
    ///   - maximumListsPerOwner: Lists that a caller with a name may own; 0 for any number.
    ///   - logger: The logger for the store's report and later problems.
    ///   - health: The health of the service, which stops serving if the store takes no more changes until a restart.
    /// - Returns: The store, to be closed at the end.
    /// - Throws: `StartupError` if the store cannot be opened.
    func openStore(
        maximumListsPerOwner: Int,
        logger: Logger,
        health: ServiceHealth
    ) throws(StartupError) -> any ServedStore {
        if let store, isStoreDatabase {
            return try openDatabase(store, maximumListsPerOwner: maximumListsPerOwner, logger, health)
        }
        let path = try storePath()
        let problems = ProblemLog("store", logger)
        let opened: SQLiteFavoritesStore
        do {
            opened = try SQLiteFavoritesStore(
                path: path,
                capacity: capacity ?? 5,
                maximumLists: maxLists,
                maximumListsPerOwner: maximumListsPerOwner,
                retention: retention.retention,
                durability: durability,
                address: endpoints.map(\.address.description).joined(separator: ", "),
                onError: { problems.report("\($0)") },
                onRefusal: { reason in
                    health.stopServing()
                    logger.critical("favorites can only be read until a restart", metadata: ["reason": "\(reason)"])
                }
            )
        } catch {
            throw StartupError(.storage, "\(error)")
        }
        log(opened.openingReport, logger)
        return opened
    }

    /// Returns the path of the cache file. It is beside the store, so that no two servers share it.
    func cachePath() throws(StartupError) -> String {
        if let cache = gateway.cache { return cache }
        return try storePath() + ".cache"
    }

    private func log(_ report: StoreReport, _ logger: Logger) {
        logger.notice(
            "store opened",
            metadata: [
                "lists": .stringConvertible(report.listCount), "favorites": .stringConvertible(report.favoriteCount),
                "changes": .stringConvertible(report.changeCount), "answers": .stringConvertible(report.answerCount),
                "problems": .stringConvertible(report.problemCount),
            ]
        )
        if let renewal = report.renewal {
            logger.warning(
                "the favorites have a new history: watchers get their lists anew",
                metadata: ["reason": "\(renewal)"]
            )
        }
        for problem in report.problems { logger.error("store", metadata: ["problem": "\(problem)"]) }
        if durability != .full {
            logger.warning("a loss of power may lose acknowledged toggles", metadata: ["durability": "\(durability)"])
        }
    }

    static func catalogSource(_ text: String) throws -> CatalogSource {
        do {
            return try CatalogSource(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    static func pictureHost(_ text: String) throws -> PictureHost {
        guard let host = PictureHost(text) else { throw ValidationError("--image-host takes a name, or name:port.") }
        return host
    }
}

extension StoreDurability: ExpressibleByArgument {}
