import Catalog
import CatalogFiles
import CurlTransport
import Foundation
import Logging
import MarvelAPI
import ProgramSupport

/// A gateway as the catalog, with all that keeps calls from being wasted, and what has to be closed behind it.
struct OpenedGateway {
    let catalog: GatewayCatalog
    let pictures: GatewayPictures
    private let answers: GatewayAnswers
    private let transport: CurlTransport
    private let file: CacheFile
    private let counts: UpstreamCounts

    /// - Parameters:
    ///   - url: Where the gateway is.
    ///   - keys: What to sign with.
    ///   - transport: How to ask; closed with this.
    ///   - imageHosts: Where pictures may be, beside the usual.
    ///   - cache: The file for what is kept.
    ///   - options: Limits.
    ///   - logger: Gets what the file has to say.
    init(
        _ url: GatewayURL,
        keys: MarvelKeys,
        transport: CurlTransport,
        imageHosts: [PictureHost],
        cache: String,
        options: GatewayOptions,
        logger: Logger
    ) async {
        let clock = UpstreamClock(startingAt: Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)))
        let counts = UpstreamCounts()
        let policy = CachePolicy(timeToLive: options.cacheTtl.duration)
        var limits = CacheFile.Limits()
        limits.pictureByteCount = options.imageCacheBytes
        let file = CacheFile(path: cache, gateway: url.base, limits: limits) { problem in
            logger.error("cache", metadata: ["problem": "\(problem)"])
        }
        let client = MarvelAPIClient(gateway: url, keys: keys, transport: transport) {
            "\(Int(Date().timeIntervalSince1970))"
        }
        let budget = await file.budget(callsPerDay: options.gatewayCallsPerDay, at: clock.now())
        logger.notice(
            "gateway cache",
            metadata: [
                "kept": "\(file.isOpen)", "callsOfTheDay": "\(budget.used)", "callsPerDay": "\(budget.callsPerDay)",
            ]
        )
        answers = GatewayAnswers(
            client: client,
            caller: UpstreamCaller(gate: UpstreamGate(budget: budget), ledger: file, clock: clock, counts: counts),
            store: file,
            policy: policy,
            clock: clock,
            counts: counts
        )
        catalog = GatewayCatalog(answers: answers)
        pictures = GatewayPictures(
            client: PictureClient(hosts: PictureHosts(of: url, further: imageHosts), transport: transport),
            caller: UpstreamCaller(clock: clock),
            store: file,
            policy: policy,
            clock: clock,
            counts: counts
        )
        self.transport = transport
        self.file = file
        self.counts = counts
    }

    /// For the operator: `upstreamCall` and so on.
    var counters: Logger.Metadata {
        var metadata: Logger.Metadata = ["upstreamWaiting": .stringConvertible(counts.waiting)]
        for event in UpstreamCounts.Event.allCases {
            metadata["upstream\("\(event)".capitalized)"] = .stringConvertible(counts[event])
        }
        return metadata
    }

    func close() async {
        answers.shutDown()
        pictures.shutDown()
        await transport.shutdown()
        await file.close()
    }
}
