import Catalog
import CatalogFiles
import Foundation
import Logging
import MarvelAPI
import ProgramSupport
import RPCCore

/// What is kept of what was fetched, for how long, and the counters of it.
struct OpenedCache {
    let clock: UpstreamClock
    let policy: CachePolicy
    let file: CacheFile
    let counts = UpstreamCounts()

    /// - Parameters:
    ///   - gateway: Whose answers are kept, by its address; empty: only pictures are.
    ///   - options: Where, for how long, and how much.
    ///   - logger: Gets what the file has to say.
    /// - Throws: `StartupError` if there is no folder for it.
    init(gateway: String = "", _ options: ServerOptions, logger: Logger) throws(StartupError) {
        clock = UpstreamClock(startingAt: Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)))
        policy = CachePolicy(timeToLive: options.gateway.cacheTtl.duration)
        var limits = CacheFile.Limits()
        limits.pictureByteCount = options.gateway.imageCacheBytes
        file = CacheFile(path: try options.cachePath(), gateway: gateway, limits: limits) { problem in
            logger.error("cache", metadata: ["problem": "\(problem)"])
        }
    }

    /// Pictures that are fetched from these hosts, and kept.
    func pictures(from hosts: PictureHosts, by transport: any HTTPTransport) -> GatewayPictures {
        GatewayPictures(
            client: PictureClient(hosts: hosts, transport: transport),
            caller: UpstreamCaller(clock: clock),
            store: file,
            policy: policy,
            clock: clock,
            counts: counts
        )
    }

    /// For the operator: `upstreamCall` and so on.
    var counters: Logger.Metadata {
        var metadata: Logger.Metadata = ["upstreamWaiting": .stringConvertible(counts.waiting)]
        for event in UpstreamCounts.Event.allCases {
            metadata["upstream\("\(event)".capitalized)"] = .stringConvertible(counts[event])
        }
        return metadata
    }
}
