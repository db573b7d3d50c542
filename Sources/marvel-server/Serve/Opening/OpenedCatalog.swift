import Catalog
import CatalogFiles
import CurlTransport
import FavoritesSQLite
import Foundation
import Logging
import MarvelDomain
import MarvelService
import ProgramSupport
import RPCCore
import Upstream

struct OpenedCatalog {
    let catalog: any CharacterCatalog
    /// Nil if the characters cannot be edited.
    var editable: EditableCatalog? { catalog as? EditableCatalog }
    let pictures: any PictureSource
    private let downloads: Downloads?
    private var gateway: (answers: GatewayAnswers, caller: UpstreamCaller)?
    private var file: FollowedCatalogFile?

    /// `environment` has the keys for a gateway. Throws `StartupError` if they are missing, or a file cannot be served.
    init(_ settings: ServerValues, environment: [String: String], logger: Logger) async throws(StartupError) {
        switch settings.catalog {
        case .builtIn: self.init(drawing: BuiltInCatalog.catalog())
        case .synthetic(let count): self.init(drawing: SyntheticCharacters(count: count).catalog())
        case .gateway(let url):
            guard let keys = try MarvelKeys.pair(environment: environment) else {
                throw StartupError(
                    .configuration,
                    "a gateway needs keys: set MARVEL_PUBLIC_KEY, and MARVEL_PRIVATE_KEY or MARVEL_PRIVATE_KEY_FILE"
                )
            }
            let downloads = try Downloads(gateway: url, settings, logger: logger)
            let gateway = await downloads.gateway(url, keys, callsPerDay: settings.gatewayCallsPerDay)
            self.init(GatewayCatalog(answers: gateway.answers), downloads.pictures, downloads)
            self.gateway = gateway
        case .file(let path):
            let downloads: Downloads
            let file: FollowedCatalogFile
            do {
                // Without a catalog the start fails, and must not leave a cache file.
                _ = try CatalogFileReader(path)
                downloads = try Downloads(settings, logger: logger)
                file = try await FollowedCatalogFile(
                    path,
                    otherPictures: downloads.pictures,
                    now: { .systemClock() }
                )
            } catch let error as StartupError {
                throw error
            } catch {
                throw StartupError(.storage, "\(error)")
            }
            logger.notice("catalog opened", metadata: file.servedDescription.metadata)
            self.init(file.catalog, file.pictures, downloads)
            self.file = file
        }
    }

    private init(drawing catalog: InMemoryCatalog) {
        self.init(EditableCatalog(catalog, loadedAt: .systemClock()), DrawnPictures(), nil)
    }

    private init(_ catalog: any CharacterCatalog, _ pictures: any PictureSource, _ downloads: Downloads?) {
        (self.catalog, self.pictures, self.downloads) = (catalog, pictures, downloads)
    }

    func service(_ logger: Logger) -> BackgroundService? {
        guard let file else { return nil }
        return BackgroundService("catalog file", every: .seconds(1)) {
            switch await file.check() {
            case .unchanged: break
            case .replaced(let description): logger.notice("catalog replaced", metadata: description.metadata)
            case .refused(let error):
                logger.error("catalog not replaced, still serving the old one", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Nil if all pictures are drawn.
    var cache: CacheFile? { downloads?.cache }

    /// Nil without a gateway.
    var upstream: (status: UpstreamStatus, counts: UpstreamCounts)? {
        guard let gateway, let downloads else { return nil }
        return (gateway.caller.status, downloads.counts)
    }

    var counters: Logger.Metadata { downloads?.counters ?? [:] }

    func close() async {
        gateway?.answers.shutDown()
        await downloads?.close()
    }
}

extension CatalogDescription {
    fileprivate var metadata: Logger.Metadata {
        [
            "characters": .stringConvertible(characterCount), "pictures": .stringConvertible(pictureCount),
            "attribution": .string(attribution),
        ]
    }
}

private struct Downloads {
    let cache: CacheFile
    let pictures: GatewayPictures
    let counts = UpstreamCounts()
    private let pictureCounts = UpstreamCounts()
    private let clock: UpstreamClock
    private let policy: CachePolicy
    private let transport: CurlTransport
    private let logger: Logger
    private let failures: ProblemLog

    init(gateway: GatewayURL? = nil, _ settings: ServerValues, logger: Logger) throws(StartupError) {
        do {
            transport = try CurlTransport()
        } catch {
            throw StartupError(.configuration, "cannot start libcurl: \(error)")
        }
        clock = UpstreamClock(startingAt: Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)))
        policy = CachePolicy(timeToLive: settings.cacheTimeToLive)
        cache = try settings.openCache(of: gateway, logger)
        self.logger = logger
        failures = ProblemLog("upstream call failed", logger, interval: .seconds(60))
        let hosts = PictureHosts(of: gateway, further: settings.imageHosts)
        pictures = GatewayPictures(
            client: PictureClient(hosts: hosts, transport: TracedFetcher(fetcher: transport)),
            store: cache,
            policy: policy,
            clock: clock,
            counts: counts,
            hostCounts: pictureCounts,
            onFailure: { [failures] host, failure in failures.report("\(host): \(failure)") }
        )
    }

    func gateway(
        _ url: GatewayURL,
        _ keys: MarvelKeys,
        callsPerDay: Int
    ) async -> (answers: GatewayAnswers, caller: UpstreamCaller) {
        let client = MarvelAPIClient(gateway: url, keys: keys, transport: TracedFetcher(fetcher: transport)) {
            "\(Int(Date().timeIntervalSince1970))"
        }
        let budget = await cache.budget(callsPerDay: callsPerDay, at: clock.now())
        logger.notice(
            "gateway cache",
            metadata: [
                "kept": "\(cache.isOpen)", "callsOfTheDay": .stringConvertible(budget.used),
                "callsPerDay": .stringConvertible(budget.callsPerDay),
            ]
        )
        let caller = UpstreamCaller(
            budget: budget,
            clock: clock,
            counts: counts,
            onFailure: { [failures] in failures.report("\(url.authority): \($0)") }
        )
        let answers = GatewayAnswers(
            client: client,
            caller: caller,
            store: cache,
            policy: policy,
            clock: clock,
            counts: counts
        )
        return (answers, caller)
    }

    var counters: Logger.Metadata {
        var metadata: Logger.Metadata = ["upstreamWaiting": .stringConvertible(counts.waiting)]
        for event in UpstreamCounts.Event.allCases {
            metadata["upstream\("\(event)".capitalized)"] = .stringConvertible(counts[event])
        }
        for event in [UpstreamCounts.Event.call, .refused, .failed] {
            metadata["picture\("\(event)".capitalized)"] = .stringConvertible(pictureCounts[event])
        }
        return metadata
    }

    func close() async {
        pictures.shutDown()
        await transport.shutdown()
        await cache.close()
    }
}

/// Sends the trace of its call (W3C Trace Context). A shared request has the trace of the call that began it.
private struct TracedFetcher: HTTPFetcher {
    let fetcher: CurlTransport

    func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
        guard let trace = TraceParent.current else { return try await fetcher.get(request) }
        var traced = request
        let header = trace.header(operation: .random(in: 1...UInt64.max))
        traced.headers.fields.append(HTTPHeaders.Field(name: TraceParent.key, value: header))
        return try await fetcher.get(traced)
    }
}

extension ServerValues {
    /// Nil if `catalog` is nil: it is not editable. Throws `StartupError` if the edits cannot be read.
    func openEdits(
        over catalog: EditableCatalog?,
        in store: any ServedStore,
        logger: Logger
    ) async throws(StartupError) -> Curation? {
        guard let catalog else { return nil }
        let curation = Curation(catalog: catalog, edits: store.characterEdits)
        do throws(StoreError) {
            try await curation.start()
        } catch {
            throw StartupError(.storage, "the edits cannot be read: \(error)")
        }
        logger.notice("edits opened", metadata: ["characters": .stringConvertible(catalog.editedIDs.count)])
        return curation
    }
}
