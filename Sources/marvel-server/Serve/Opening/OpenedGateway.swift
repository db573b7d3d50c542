import CatalogFiles
import CurlTransport
import Foundation
import Logging
import MarvelDomain
import RPCCore
import Upstream

/// A catalog of a gateway, with its call budget, retries and cache, and the resources to close at the end.
struct OpenedGateway {
    let catalog: GatewayCatalog
    let pictures: GatewayPictures
    private let answers: GatewayAnswers
    private let caller: UpstreamCaller
    private let transport: CurlTransport
    private let cache: OpenedCache

    /// `transport` is closed together with this.
    ///
    /// - Throws: `StartupError` if there is no folder for the cache.
    init(
        _ url: GatewayURL,
        keys: MarvelKeys,
        transport: CurlTransport,
        settings: ServerValues,
        logger: Logger
    ) async throws(StartupError) {
        let cache = try OpenedCache(gateway: url.base, settings, logger: logger)
        let fetcher = TracedFetcher(transport)
        let client = MarvelAPIClient(gateway: url, keys: keys, transport: fetcher) {
            "\(Int(Date().timeIntervalSince1970))"
        }
        let budget = await cache.file.budget(
            callsPerDay: settings.gatewayCallsPerDay,
            at: cache.clock.now()
        )
        logger.notice(
            "gateway cache",
            metadata: [
                "kept": "\(cache.file.isOpen)", "callsOfTheDay": .stringConvertible(budget.used),
                "callsPerDay": .stringConvertible(budget.callsPerDay),
            ]
        )
        caller = UpstreamCaller(
            budget: budget,
            clock: cache.clock,
            counts: cache.counts,
            onFailure: { logger.upstreamFailed($0, host: url.authority) }
        )
        answers = GatewayAnswers(
            client: client,
            caller: caller,
            store: cache.file,
            policy: cache.policy,
            clock: cache.clock,
            counts: cache.counts
        )
        catalog = GatewayCatalog(answers: answers)
        pictures = cache.pictures(from: PictureHosts(of: url, further: settings.imageHosts), by: fetcher)
        self.transport = transport
        self.cache = cache
    }

    /// The cache file, which has the pictures of favorites too.
    var file: CacheFile { cache.file }

    var status: UpstreamStatus { caller.status }

    var counts: UpstreamCounts { cache.counts }

    var counters: Logger.Metadata { cache.counters }

    func close() async {
        answers.shutDown()
        pictures.shutDown()
        await transport.shutdown()
        await cache.file.close()
    }
}
