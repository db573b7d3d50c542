import ArgumentParser
import Catalog
import CatalogFiles
import FavoritesSQLite
import Foundation
import Logging
import MarvelDomain
import MarvelService
import ProgramSupport
import RPCCore
import RPCServer
import ServiceLifecycle
import Settings
import TransportSecurity
import UnixSignals
import Upstream
import WireMessages

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves until SIGTERM or SIGINT.",
        discussion: """
            With no options it serves the built-in catalog at 127.0.0.1:6160, over HTTP at 127.0.0.1:6161, and the status \
            page at 127.0.0.1:6162.

            A gateway as the catalog needs a pair of keys: MARVEL_PUBLIC_KEY, and MARVEL_PRIVATE_KEY or the file of \
            mode 0600 that MARVEL_PRIVATE_KEY_FILE names.
            """
    )

    @OptionGroup var flags: SettingFlags

    func run() async throws {
        let sources = try ServerSettings(flags)
        let (settings, warnings) = try sources.read()
        ProcessMemory.forbidDumps()
        ProcessMemory.limitArenas()
        EventLoops.useAllowedCores()
        let signals = ServerSignals()
        let manager = Result { try ServiceManager(environment: ProcessInfo.processInfo.environment) }
        try await StartUp.run(
            "marvel-server",
            logLevel: settings.values.logLevel,
            logFormat: settings.values.logFormat,
            reloads: true
        ) { logger in
            for warning in warnings { logger.warning("settings", metadata: ["problem": "\(warning)"]) }
            let server = ServerRun(sources: sources, settings: settings, signals: signals)
            try await server.serve(try manager.get(), logger)
        }
    }
}

/// The signals that the server handles from the beginning, because each of them ends a process that does not.
private struct ServerSignals {
    let hangUps = SignalHandler.stream(of: SIGHUP)
    let reports = SignalHandler.stream(of: SIGUSR1)
    /// Cancelled when the services handle the same signals.
    let stops = SignalHandler.ofStart()
}

private struct ServerRun {
    let sources: ServerSettings
    let settings: LayeredSettings<ServerValues>
    let signals: ServerSignals

    private var values: ServerValues { settings.values }

    func serve(_ manager: ServiceManager, _ logger: Logger) async throws {
        try checkMessageLibrary()
        let tls = try values.openTLS(logger)
        try values.checkSockets()
        let operations = values.operationsPort
        let tokens = try ServedTokens(values.tokenFile(), values.accessRules)
        let addresses = values.endpoints.map(\.address) + operations.served
        try values.checkAccess(at: addresses, hasTokens: !tokens.control.isEmpty)
        let health = ServiceHealth()
        let storeHealth = ServiceHealth()
        let (catalog, store) = try await manager.starting("opening the catalog and the store") {
            try await openCatalogAndStore(health, logger)
        }
        let edits = try await values.openEdits(over: catalog.editable, in: store, logger: logger)
        let keeper = keeper(of: store, catalog, logger)
        let service = try await manager.starting("reading the lists") {
            try await loadedService(catalog, store, keeper, edits, health, storeHealth)
        }
        let facts = try startFacts(catalog)
        let callLog = values.accessLogRules.map { CallLog($0, logger: logger) }
        let server = try await RPCServer.start(
            on: tls?.protect(values.endpoints) ?? values.endpoints,
            services: service.services,
            configuration: values.server,
            access: tokens.control,
            accessLog: callLog,
            logger: logger
        )
        store.noteAddress(server.addresses.map(\.description).joined(separator: ", "))
        // The addresses are logged only after signals are handled: another process may stop the server as soon as it
        // sees them.
        let running = ServerService(
            server: server,
            onRunning: { [stops = signals.stops] in
                stops.cancel()
                ProcessMemory.releaseStart()
                announce(server, facts, logger)
                manager.ready(status(of: server))
            },
            onStopping: {
                health.stopServing()
                storeHealth.stopServing()
                let drainTimeout = server.configuration.drainTimeout
                manager.stopping(drainTimeout: drainTimeout)
                StopDeadline.begin(drainTimeout: drainTimeout, store: store, logger: logger)
            }
        )
        let report = CounterReport(server: server, on: signals.reports, logger: logger) {
            catalog.counters.merging(store.counters) { first, _ in first }
                .merging(tls?.counters ?? [:]) { first, _ in first }
        }
        let reload = ReloadService(
            reloadedParts(server, tokens, tls),
            from: sources,
            current: settings,
            on: signals.hangUps,
            logger: logger
        ) {
            $0 ? manager.reloading() : manager.ready(status(of: server))
        }
        storeHealth.set(isServing: store.isHealthy)
        let background: [BackgroundService?] = [
            keeper.map { keeper in BackgroundService("pictures of favorites") { await keeper.run() } },
            BackgroundService("tokens", every: ServedTokens.interval) { tokens.follow(logger) },
            // Connections that are restored within the interval are not reported.
            BackgroundService("health of the store", every: .milliseconds(500)) {
                storeHealth.set(isServing: store.isHealthy)
            },
            manager.watchdog(logger),
            edits.map { edits in BackgroundService("edits") { await edits.run() } },
            tls.map { tls in BackgroundService("certificate") { await tls.watch() } },
            catalog.service(logger),
        ]
        let beside: [any Service] = [report, reload] + background.compactMap(\.self)
        let parts = ServedParts(
            server: server,
            service: service,
            store: store,
            catalog: catalog,
            callLog: callLog,
            tls: tls
        )
        let pages = try await openOperations(operations, parts, tokens.control, logger)
        // The last service is stopped first, so that running calls keep the other services until they end.
        try await run(pages + beside + [running], logger)
        await catalog.close()
        await store.close()
        callLog?.flush()
        report.log()
        logger.notice("stopped")
    }

    /// Without the port the server is not ready.
    private func openOperations(
        _ port: ServerPort,
        _ parts: ServedParts,
        _ control: AccessControl,
        _ logger: Logger
    ) async throws(StartupError) -> [any Service] {
        guard !port.served.isEmpty else { return [] }
        do throws(StartupError) {
            return try await parts.openOperations(port, control, logger)
        } catch {
            parts.server.stop()
            await parts.server.run()
            throw error
        }
    }

    private func reloadedParts(
        _ server: RPCServer,
        _ tokens: ServedTokens,
        _ tls: ServerTLS?
    ) -> [ReloadedPart<ServerValues>] {
        let logLevel = ReloadedPart<ServerValues>("log level") { values in
            let level = values.logLevel.level
            guard level != StartUp.logThreshold.level else { return nil }
            return { StartUp.logThreshold.level = level }
        }
        // Open connections keep the limits that they began with.
        let limits = ReloadedPart<ServerValues>("limits") { values in
            guard values.server != server.configuration else { return nil }
            return { server.apply(values.server) }
        }
        // These are also read again without a signal when their files change.
        let tokens = ReloadedPart<ServerValues>("tokens") { _ in try tokens.prepare() }
        let certificate = tls.map { tls in
            ReloadedPart<ServerValues>("certificate") { _ in try await tls.prepareChange() }
        }
        return [logLevel, limits, tokens] + (certificate.map { [$0] } ?? [])
    }

    private func status(of server: RPCServer) -> String {
        "serving \(values.catalog) at \(server.addresses.map(\.description).joined(separator: ", "))"
    }

    /// Nil if all pictures are drawn, which never fails.
    private func keeper(of store: any ServedStore, _ catalog: OpenedCatalog, _ logger: Logger) -> PictureKeeper? {
        guard let cache = catalog.cache else { return nil }
        return PictureKeeper(
            favorites: store,
            cache: cache,
            source: catalog.pictures,
            date: { .systemClock() },
            onPinned: { logger.debug("pictures kept", metadata: ["count": .stringConvertible($0)]) },
            onFailure: { id, error in
                logger.debug(
                    "no picture of a favorite",
                    metadata: ["character": .stringConvertible(id), "reason": "\(error)"]
                )
            }
        )
    }

    private func loadedService(
        _ catalog: OpenedCatalog,
        _ store: any ServedStore,
        _ keeper: PictureKeeper?,
        _ curation: Curation?,
        _ health: ServiceHealth,
        _ storeHealth: ServiceHealth
    ) async throws(StartupError) -> CharacterService {
        let service = CharacterService(
            catalog: catalog.catalog,
            store: store,
            pictures: catalog.pictures,
            keeper: keeper,
            curation: curation,
            allowsEdits: values.allowsEdits,
            health: health,
            storeHealth: storeHealth,
            offersReflection: values.offersReflection,
            serverVersion: StartUp.version,
            watchLimits: values.watchLimits
        )
        do throws(StoreError) {
            try await service.load()
        } catch {
            throw StartupError(.storage, "the lists cannot be read: \(error)")
        }
        return service
    }

    /// A local catalog and the store open concurrently, because each takes half of the time of a start.
    ///
    /// Any other catalog opens first: opening a store may migrate it, even in a start that then fails.
    private func openCatalogAndStore(
        _ health: ServiceHealth,
        _ logger: Logger
    ) async throws -> (OpenedCatalog, any ServedStore) {
        async let openingCatalog = OpenedCatalog(
            values,
            environment: ProcessInfo.processInfo.environment,
            logger: logger
        )
        let cache: CacheFile?
        switch values.catalog {
        case .builtIn, .synthetic: cache = nil
        case .gateway, .file: cache = try await openingCatalog.cache
        }
        let store: any ServedStore
        do {
            store = try values.openStore(cache: cache, logger: logger, health: health)
        } catch {
            await (try? openingCatalog)?.close()
            throw error
        }
        return (try await openingCatalog, store)
    }

    private func startFacts(_ catalog: OpenedCatalog) throws(StartupError) -> Logger.Metadata {
        var facts: Logger.Metadata = [
            "version": "\(StartUp.version)",
            "pid": .stringConvertible(ProcessInfo.processInfo.processIdentifier),
            "store": "\(values.isStoreDatabase ? values.store ?? "" : try values.storePath())",
            "catalog": "\(values.catalog)",
        ]
        facts["characters"] = catalog.editable.map { .stringConvertible($0.catalog.count) }
        return facts
    }

    private func checkMessageLibrary() throws(StartupError) {
        do {
            try MessageLibrary.checkVersion()
        } catch {
            throw StartupError(.configuration, "\(error)")
        }
    }

    private func announce(_ server: RPCServer, _ facts: Logger.Metadata, _ logger: Logger) {
        logger.notice("serving", metadata: facts)
        for endpoint in server.endpoints { logger.notice("listening", metadata: endpoint.metadata) }
        if server.configuration.maximumConnections > DescriptorLimit.connections {
            logger.warning(
                "connections are limited by open files: raise ulimit -n or LimitNOFILE=",
                metadata: ["connections": .stringConvertible(DescriptorLimit.connections)]
            )
        }
        for endpoint in server.endpoints where !endpoint.address.isLocal && endpoint.security == nil {
            logger.warning(
                "traffic can be read by others: there is no TLS",
                metadata: ["address": "\(endpoint.address)"]
            )
        }
    }

    /// Runs until SIGTERM or SIGINT, and then until running calls have ended or the drain timeout expires.
    private func run(_ services: [any Service], _ logger: Logger) async throws {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let configuration = ServiceGroupConfiguration(
            // Without its own name, a service is named by a print of all its contents, which delays the start.
            services: services.map {
                .init(service: $0, serviceName: ($0 as? BackgroundService)?.name ?? "\(type(of: $0))")
            },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet
        )
        try await ServiceGroup(configuration: configuration).run()
    }
}
