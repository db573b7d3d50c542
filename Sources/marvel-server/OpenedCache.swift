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
    private let pictureCounts = UpstreamCounts()
    private let logger: Logger

    /// - Parameters:
    ///   - gateway: Whose answers are kept, by its address; empty: only pictures are.
    ///   - options: Where, for how long, and how much.
    ///   - logger: Gets what the file has to say.
    /// - Throws: `StartupError` if there is no folder for it.
    init(gateway: String = "", _ options: ServerOptions, logger: Logger) throws(StartupError) {
        clock = UpstreamClock(startingAt: Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)))
        self.logger = logger
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
            callers: PictureHostCallers(clock: clock, counts: pictureCounts) { [logger] host, failure in
                logger.upstreamFailed(failure, host: host)
            },
            store: file,
            policy: policy,
            clock: clock,
            counts: counts
        )
    }

    /// For the operator: `upstreamCall` and so on, and `pictureCall` and so on of picture hosts.
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
}

extension Logger {
    /// A call to a gateway or to a picture host failed; the caller sees to it that this is not logged each time.
    func upstreamFailed(_ failure: UpstreamFailure, host: String) {
        warning(
            "upstream call failed",
            metadata: ["host": "\(host)", "reason": "\(failure.text)", "failures": .stringConvertible(failure.count)]
        )
    }
}
